import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureEnvironment, Paths } from '#config';
import type { World } from '#ninep-cli';

/** Does what the command line says in a process of its own, with `-f`; resolves with 0 when that has mounted, or with its exit code. */
export async function inBackground(argv: readonly string[], { env, stdout, stderr }: World): Promise<number> {
  const logFile = newestLog(env);
  const said = statSync(logFile).size;
  const log = openSync(logFile, 'a');
  const script = process.argv[1] ?? '';
  const child = spawn(process.execPath, [script, ...argv, '-f'], { detached: true, stdio: ['ignore', 'pipe', log] });
  closeSync(log);
  const [ready] = await Promise.race([child.stdout ? once(child.stdout, 'data') : [], ended(child)]);
  if (ready === undefined) {
    await stderr.write(readFileSync(logFile, 'utf8').slice(said));
    return child.exitCode ?? 1;
  }
  await stdout.write(`${String(ready).trim()} with pid ${String(child.pid)}\n`);
  return 0;
}

/** Nothing, once it has ended without a word. */
async function ended(child: ChildProcess): Promise<readonly unknown[]> {
  await once(child, 'close');
  return [];
}

/** What a mount without a terminal has to say. */
function newestLog(env: World['env']): string {
  const { data } = Paths.from(ensureEnvironment(env));
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = join(data, 'o-mount.log');
  closeSync(openSync(file, 'a', 0o600));
  return file;
}
