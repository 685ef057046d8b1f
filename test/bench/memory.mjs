import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startServer } from './_servers.mjs';

const SETTLING_MS = 3_000;

function residentMegabytes(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) / 1024;
}

async function idle(name, argsFor) {
  const server = await startServer(name, argsFor);
  await wait(SETTLING_MS);
  const value = residentMegabytes(server.pid);
  await server.stop();
  return value;
}

async function bareNode() {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  await wait(SETTLING_MS);
  const value = residentMegabytes(child.pid);
  child.kill();
  return value;
}

/** Resident memory of idle servers, over that of an idle Node. */
export async function rows() {
  const values = {
    'idle node': await bareNode(),
    'idle olliesrv': await idle('olliesrv', () => ['serve']),
    'idle toolsrv': await idle('toolsrv', (folder) => ['serve', '--cwd', `${folder}/work`, '--listen', `${folder}/t.sock`, '--no-auth']),
  };
  return Object.entries(values).map(([name, value]) => ({
    name,
    value,
    unit: 'MB',
    ratio: value / values['idle node'],
    over: 'idle node',
  }));
}
