import { type Client, DMDIR, type Stat } from '#ninep';
import type { Request } from './parse-request.js';

/** What is answered to a request. Rejects with NinepError. */
export async function perform(client: Client, { op, path, data }: Request): Promise<Uint8Array | string> {
  switch (op) {
    case 'read':
      return client.readAll(path);
    case 'write':
      await client.writeAll(path, data);
      return `${String(Buffer.byteLength(data))} bytes written\n`;
    case 'rdwr':
      return client.ask(path, data);
    case 'ls':
      return names(await client.list(path));
    case 'stat':
      return facts(await client.stat(path));
  }
}

function names(entries: readonly Stat[]): string {
  return entries.map((entry) => `${entry.name}${isDirectory(entry) ? '/' : ''}\n`).join('');
}

function facts(stat: Stat): string {
  const { name, length, mtime } = stat;
  const mode = (stat.mode & 0o777).toString(8).padStart(4, '0');
  return `name=${name}\ntype=${isDirectory(stat) ? 'directory' : 'file'}\nmode=${mode}\nlength=${String(length)}\nmtime=${new Date(mtime * 1000).toISOString()}\n`;
}

function isDirectory({ mode }: Stat): boolean {
  return (mode & DMDIR) !== 0;
}
