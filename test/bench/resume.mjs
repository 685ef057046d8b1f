// The first request of a server that has just been started: of a long conversation, and of a new session.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './_measure.mjs';
import { makeAgents, ROUNDS, startProvider, turn } from './_rounds.mjs';
import { connect, programs, root, startServer } from './_servers.mjs';

const MESSAGES = 1000;
const RESUMES = 9;
/** What a server does right after its start is over. */
const SETTLING_MS = 300;

/** Milliseconds from the start of a client program to the provider's request, and to the program's end. */
async function clientToRequest({ provider, env, client }, path) {
  const request = once(provider.lines, 'line');
  const begun = process.hrtime.bigint();
  const child = spawn(process.execPath, [join(programs, 'ollie-9p.cjs'), 'write', `${path}/prompt`], {
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.end('go on');
  const written = once(child, 'close').then(() => Number(process.hrtime.bigint() - begun) / 1e6);
  const [[line], end] = await Promise.all([request, written]);
  await idle(client, path);
  return [Number(BigInt(line.split(' ')[1]) - begun) / 1e6, end];
}

async function idle(client, path) {
  while (String(Buffer.from(await client.readAll(`${path}/cfg`))).startsWith('state=running')) await sleep(50);
}

/** A server of its own for each turn, so that none pays for what another has loaded; the new session is made either way. */
async function firstTurn(provider, { folder, env }, name, long) {
  const child = spawn(join(root, 'bin/olliesrv'), ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const text of child.stdout) if (String(text).includes('listening on')) break;
  const client = await connect(join(folder, 'ns/ollie'));
  await client.ask('session/new', `name=${name}\n`);
  await client.ask(`session/${name}/agent/new`, 'name=a\n');
  await sleep(SETTLING_MS);
  const times = await clientToRequest({ provider, env, client }, long ?? `session/${name}/agent/a`);
  client.close();
  child.kill('SIGTERM');
  await once(child, 'close');
  return times;
}

/** A long conversation, kept by a server that has ended. */
async function longConversation(provider) {
  const server = await startServer('olliesrv', () => ['serve'], provider.env);
  const client = await connect(join(server.folder, 'ns/ollie'));
  const [path] = await makeAgents(client, 1);
  for (let messages = 0; messages < MESSAGES; messages += 2 * ROUNDS + 2) await turn(client, path);
  client.close();
  await server.halt();
  return { server, path };
}

export async function rows() {
  const provider = await startProvider();
  const { server, path } = await longConversation(provider);
  const times = { long: [], fresh: [] };
  for (let round = 0; round < RESUMES; round += 1) {
    const order = round % 2 === 0 ? ['fresh', 'long'] : ['long', 'fresh'];
    for (const kind of order) times[kind].push(await firstTurn(provider, server, `${kind}${round}`, kind === 'long' ? path : undefined));
  }
  server.remove();
  provider.stop();
  const [[long, written], [fresh]] = [times.long, times.fresh].map((all) => [0, 1].map((at) => median(all.map((one) => one[at]))));
  return [
    { name: `8: resume ${MESSAGES} messages, client's start to request (< 282)`, value: long, unit: 'ms' },
    { name: '8: what that is more than a new session (< 50)', value: long - fresh, unit: 'ms' },
    { name: '8: client, start to end', value: written, unit: 'ms' },
  ];
}
