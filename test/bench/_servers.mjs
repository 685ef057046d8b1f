import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

export const root = join(import.meta.dirname, '../..');
export const programs = join(root, 'dist/bin');

/** Starts a server below a folder of its own; resolves once it listens. `stop` ends it and removes the folder. */
export async function startServer(name, argsFor, more = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'ollie-bench-'));
  for (const part of ['ns', 'home', 'work']) mkdirSync(join(folder, part), { mode: 0o700 });
  const env = {
    PATH: process.env.PATH,
    HOME: join(folder, 'home'),
    NAMESPACE: join(folder, 'ns'),
    TMPDIR: folder,
    OLLIE_BACKEND: 'scripted',
    ...more,
  };
  const child = spawn(join(root, 'bin', name), argsFor(folder), {
    env,
    cwd: join(folder, 'work'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const text of child.stdout) if (String(text).includes('listening on')) break;
  return {
    folder,
    env,
    pid: child.pid,
    /** Ends it and keeps the folder. */
    async halt() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
    async stop() {
      await this.halt();
      this.remove();
    },
  };
}

let clientModule;

/** A connection to a server's socket, by the client of libs/ninep. */
export async function connect(path, aname = '') {
  const { Client } = await ninep();
  return Client.dial({ address: { type: 'unix', path }, uname: 'bench', aname, keepsOrder: true });
}

/** libs/ninep as a module. */
export function ninep() {
  return (clientModule ??= loadClient());
}

async function loadClient() {
  const file = join(root, 'dist/bench/ninep.mjs');
  await build({
    entryPoints: [join(root, 'libs/ninep/src/index.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['ollie-source'],
    logLevel: 'warning',
  });
  return import(pathToFileURL(file).href);
}
