// Many agents that stream at once, each with a reader: how long a byte takes from provider to reader.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { connect, startServer } from './_servers.mjs';

const STREAMS = 200;
const RATE = 50;
const TOKENS = 150;
const PARTS = 3;
const CONNECTIONS = 8;
const here = import.meta.dirname;

/** Starts a program of this folder; resolves with it and the first line that it prints. */
async function start(name, ...args) {
  const child = spawn(process.execPath, [join(here, name), ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { line: String(line).trim(), stop: () => child.kill() };
}

/** Takes text that ends anywhere, and notes the age of each time in it. */
function ages() {
  const found = [];
  const take = () => {
    let rest = '';
    return (chunk) => {
      const now = process.hrtime.bigint();
      const text = rest + Buffer.from(chunk).toString('latin1');
      const end = text.lastIndexOf(' ');
      rest = text.slice(end + 1);
      for (const [time] of text.slice(0, end).matchAll(/\d{12,}/g)) found.push(Number(now - BigInt(time)) / 1e6);
    };
  };
  return { found, take };
}

async function relayed(port, socket) {
  const relay = await start('_stream-relay.mjs', socket, port);
  const { found, take } = ages();
  const readers = Array.from({ length: STREAMS }, async () => {
    const reader = createConnection(socket);
    reader.on('data', take());
    await once(reader, 'close');
  });
  await Promise.all(readers);
  relay.stop();
  return found;
}

/** Reads what a turn adds to a log. */
async function follow(client, agent, take) {
  const file = await client.open(`${agent.path}/chat`, 0);
  for (;;) {
    const bytes = await file.read(agent.seen, file.iounit);
    if (bytes.length === 0) break;
    agent.seen += bytes.length;
    take(bytes);
  }
  await file.clunk();
}

async function throughOllie(clients, agents) {
  const { found, take } = ages();
  await Promise.all(
    agents.map(async (agent, index) => {
      const client = clients[index % CONNECTIONS];
      await client.writeAll(`${agent.path}/prompt`, 'go');
      await follow(client, agent, take());
    }),
  );
  return found;
}

async function makeAgents(client) {
  await client.ask('session/new', 'name=s\n');
  const agents = [];
  for (let index = 0; index < STREAMS; index += 1) {
    await client.ask('session/s/agent/new', `name=a${index}\nbackend=openai\nmodel=m\n`);
    agents.push({ path: `session/s/agent/a${index}`, seen: 0 });
  }
  return agents;
}

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)];
}

/** p50 and p99 from the provider's byte to the reader's, and the same through a bare relay of the same load in the same run. */
export async function streamingRows() {
  const provider = await start('_stream-provider.mjs', RATE, TOKENS);
  const url = `http://127.0.0.1:${provider.line}/v1`;
  const server = await startServer('olliesrv', () => ['serve'], { OLLIE_BACKEND: 'openai', OLLIE_OPENAI_URL: url, OLLIE_MODEL: 'm' });
  const clients = [];
  for (let index = 0; index < CONNECTIONS; index += 1) clients.push(await connect(join(server.folder, 'ns/ollie')));
  const agents = await makeAgents(clients[0]);
  const [ours, bare] = [[], []];
  for (let part = 0; part < PARTS; part += 1) {
    bare.push(...(await relayed(provider.line, join(server.folder, `relay${part}`))));
    ours.push(...(await throughOllie(clients, agents)));
  }
  for (const client of clients) client.close();
  await server.stop();
  provider.stop();
  const expected = STREAMS * TOKENS;
  if (bare.length < expected * PARTS) throw new Error(`the relay lost tokens: ${bare.length} of ${expected * PARTS}`);
  return [0.5, 0.99].map((share) => {
    const [value, base] = [percentile(ours, share), percentile(bare, share)];
    const name = `byte to reader, ${STREAMS} streams, p${share * 100}${share === 0.99 ? ' (<= 2)' : ''}`;
    return { name, value, unit: 'ms', ratio: value / base, over: `bare relay (${base.toFixed(2)})` };
  });
}
