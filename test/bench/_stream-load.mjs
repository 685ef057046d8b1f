// node _stream-load.mjs FOLDER PORT STREAMS PARTS: the readers of _streaming.mjs. Follows STREAMS streams through olliesrv and through
// a bare relay, PARTS times in turn; prints the ages of all tokens in ms.
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { LogReader } from './_log-reader.mjs';
import { connect } from './_servers.mjs';
import { start } from './_start.mjs';

const CONNECTIONS = 8;
const [folder, port, ...counts] = process.argv.slice(2);
const [streams, parts] = counts.map(Number);

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
  const relay = await start('_stream-relay.mjs', [socket, port]);
  const { found, take } = ages();
  const readers = Array.from({ length: streams }, async () => {
    const reader = createConnection(socket);
    reader.on('data', take());
    await once(reader, 'close');
  });
  await Promise.all(readers);
  relay.stop();
  return found;
}

async function throughOllie(connections, agents) {
  const { found, take } = ages();
  await Promise.all(
    agents.map(async ({ path, log }, index) => {
      const { client, reader } = connections[index % CONNECTIONS];
      await client.writeAll(`${path}/prompt`, 'go');
      await reader.follow(log, take());
    }),
  );
  return found;
}

async function makeAgents(connections) {
  const [{ client }] = connections;
  await client.ask('session/new', 'name=s\n');
  const agents = [];
  for (let index = 0; index < streams; index += 1) {
    await client.ask('session/s/agent/new', `name=a${index}\nbackend=openai\nmodel=m\n`);
    const path = `session/s/agent/a${index}`;
    agents.push({ path, log: await connections[index % CONNECTIONS].reader.open(`${path}/chat`) });
  }
  return agents;
}

const socket = join(folder, 'ns/ollie');
const connections = [];
for (let index = 0; index < CONNECTIONS; index += 1)
  connections.push({ client: await connect(socket), reader: await LogReader.dial(socket) });
const agents = await makeAgents(connections);
const [ours, bare] = [[], []];
for (let part = 0; part < parts; part += 1) {
  bare.push(...(await relayed(port, join(folder, `relay${part}`))));
  ours.push(...(await throughOllie(connections, agents)));
}
process.stdout.write(`${JSON.stringify({ ours, bare })}\n`, () => process.exit());
