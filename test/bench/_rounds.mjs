// Turns of many rounds with a tool call each, driven over 9P against a provider on loopback.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Tool calls a turn. */
export const ROUNDS = 20;

/** A provider that tells of each request: `request NANOSECONDS MESSAGES`. */
export async function startProvider() {
  const child = spawn(process.execPath, [join(import.meta.dirname, '_round-provider.mjs'), String(ROUNDS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [port] = await once(lines, 'line');
  lines.on('line', () => undefined);
  return {
    lines,
    env: { OLLIE_BACKEND: 'openai', OLLIE_OPENAI_URL: `http://127.0.0.1:${port}/v1`, OLLIE_MODEL: 'm' },
    stop: () => child.kill(),
  };
}

/** One turn to its end. */
export async function turn(client, path) {
  const chat = await client.open(`${path}/chat`, 0);
  await client.writeAll(`${path}/prompt`, 'go');
  for (let at = 0; ;) {
    const bytes = await chat.read(at, chat.iounit);
    if (bytes.length === 0) break;
    at += bytes.length;
  }
  await chat.clunk();
}

/** Agents of a new session, as paths. */
export async function makeAgents(client, count) {
  await client.ask('session/new', 'name=s\n');
  const paths = Array.from({ length: count }, (_, index) => `session/s/agent/a${index}`);
  for (const path of paths) await client.ask('session/s/agent/new', `name=${path.split('/').at(-1)}\n`);
  return paths;
}
