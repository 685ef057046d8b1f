import type { Client, Stat } from '#ninep';
import { isDirectory, modeText } from './mode-text.js';
import type { Verb } from './verb.js';

export const ls: Verb = {
  usage: 'ls [-l] [PATH]',
  about: 'names in a directory; -l: with mode, owner, length, time',
  flags: ['long'],
  path: 'optional',
  async run(client, { path, long, stdout }, signal) {
    const entries = await entriesOf(client, path, signal);
    const lines = long ? longLines(entries) : entries.map(({ name }) => name);
    await stdout.write(lines.map((line) => `${line}\n`).join(''));
  },
};

async function entriesOf(client: Client, path: string, signal: AbortSignal): Promise<readonly Stat[]> {
  const stat = await client.stat(path, signal);
  if (!isDirectory(stat.mode)) return [stat];
  const entries = await client.list(path, signal);
  return [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function longLines(entries: readonly Stat[]): readonly string[] {
  const rows = entries.map(({ mode, uid, gid, length, mtime, name }) => [modeText(mode), uid, gid, String(length), minute(mtime), name]);
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const [owner, group, size] = [width(1), width(2), width(3)];
  return rows.map(([mode, uid = '', gid = '', length = '', time, name]) =>
    [mode, uid.padEnd(owner), gid.padEnd(group), length.padStart(size), time, name].join(' '),
  );
}

function minute(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
