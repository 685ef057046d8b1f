import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'esbuild';
import { Stop } from '../../scripts/stop.mjs';
import { root } from './_servers.mjs';

/** Where the load generator and the ceiling are: $OLLIE_BENCH, else beside the checkout. */
export function sharedBench() {
  const folder = process.env.OLLIE_BENCH ?? join(root, '../shared/bench');
  if (existsSync(join(folder, '9pload.c')) && existsSync(join(folder, 'ceil9.js'))) return folder;
  throw new Stop(`not measured: 9pload.c and ceil9.js are not in ${folder}; name their folder with OLLIE_BENCH`);
}

/** Builds the load generator. */
export function buildLoad(folder) {
  const program = join(folder, '9pload');
  execFileSync('cc', ['-O2', '-o', program, join(sharedBench(), '9pload.c')], { stdio: 'inherit' });
  return program;
}

/** The server of _ninep-server.ts as one file. */
export async function serverProgram() {
  const file = join(root, 'dist/bench/ninep-server.mjs');
  await build({
    entryPoints: [join(root, 'test/bench/_ninep-server.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['ollie-source'],
    external: ['@nestjs/*', 'reflect-metadata', 'rxjs'],
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'warning',
  });
  return file;
}

/** Starts a server and resolves when its socket is there. */
export async function start(program, args, socket) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  while (!existsSync(socket)) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await sleep(20);
  }
  return {
    pid: child.pid,
    async stop(signal = 'SIGKILL') {
      child.kill(signal);
      await once(child, 'close');
    },
  };
}

/** One run of the load generator: the figure that counts. */
export function load(generator, socket, { args, figure }) {
  const test = args.at(-1);
  const line = execFileSync(generator, [...args.slice(0, -1), `unix:${socket}`, test], { encoding: 'utf8' });
  return JSON.parse(line)[figure];
}
