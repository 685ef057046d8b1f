import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LIMIT_MS = 20_000;
const ARGUMENTS = {
  olliesrv: () => ['serve'],
  toolsrv: (folder) => ['serve', '--cwd', folder, '--listen', join(folder, 'toolsrv'), '--no-auth'],
};

/**
 * Starts a server that was just built and ends it when it listens, so that Node keeps what it has compiled: the user's first
 * start is then as fast as every other. Nothing depends on it: a start that fails says why on stderr, and the next one compiles.
 */
export async function startOnce(program, app) {
  const folder = mkdtempSync(join(tmpdir(), 'ollie-first-'));
  for (const name of ['ns', 'home']) mkdirSync(join(folder, name), { mode: 0o700 });
  const child = spawn(process.execPath, [program, ...ARGUMENTS[app](folder)], {
    env: { PATH: process.env.PATH, HOME: join(folder, 'home'), NAMESPACE: join(folder, 'ns'), OLLIE_BACKEND: 'scripted' },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: LIMIT_MS,
  });
  child.stdout.once('data', () => child.kill('SIGTERM'));
  await once(child, 'close');
  rmSync(folder, { recursive: true });
}
