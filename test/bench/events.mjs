import { join } from 'node:path';
import { percentile, timed } from './_measure.mjs';
import { connect, startServer } from './_servers.mjs';

const WAITERS = 1000;
const ROUNDS = 300;
const WARM_UP = 30;
const EVENTS = 500;

/** From what changes a state to the moment its waiter knows, while 1,000 others wait for other agents; and the same for `eventwait`. */
export async function rows() {
  const server = await startServer('olliesrv', () => ['serve']);
  const path = join(server.folder, 'ns/ollie');
  const clients = [];
  const dial = async (aname = '') => (clients.push(await connect(path, aname)), clients.at(-1));
  const client = await dial();
  await client.ask('session/new', 'name=s\n');
  for (let n = 0; n < WAITERS; n += 1) await client.ask('session/s/agent/new', `name=a${n}\n`);
  await client.ask('session/new', 'name=p\n');
  await client.ask('session/p/agent/new', 'name=a\n');
  const alone = await latencies(client, await dial());
  await waitForOthers(await dial());
  const crowded = await latencies(client, await dial());
  const seen = await eventLatencies(client, await dial());
  for (const each of clients) each.close();
  await server.stop();
  return [
    ...rowsOf('state change to its waiter', alone),
    ...rowsOf('beside 1,000 waiters', crowded, alone),
    ...rowsOf('event to a reader of events', seen),
  ];
}

function rowsOf(name, values, base) {
  return [0.5, 0.99].map((part) => {
    const value = percentile(values, part);
    const compared = base && { ratio: value / percentile(base, part), over: 'alone' };
    return { name: `${name}, p${part * 100}`, value, unit: 'ms', ...compared };
  });
}

async function waitForOthers(client) {
  for (let n = 0; n < WAITERS; n += 1) void Promise.allSettled([client.readAll(`session/s/agent/a${n}/statewait`)]);
  await client.readAll('help');
}

/** Milliseconds from a prompt's write to its waiter's `running`. */
async function latencies(writer, reader) {
  const values = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const waiting = reader.readAll('session/p/agent/a/statewait');
    await reader.readAll('session/p/agent/a/id'); // answered when the wait has begun
    values.push(
      await timed(async () => {
        void writer.writeAll('session/p/agent/a/prompt', 'say hi');
        await waiting;
      }),
    );
    await reader.readAll('session/p/agent/a/statewait');
  }
  return values.slice(WARM_UP);
}

async function eventLatencies(writer, reader) {
  const file = await reader.open('events', 0);
  const values = [];
  let at = Number((await reader.stat('events')).length);
  for (let round = 0; round < EVENTS; round += 1) {
    const waiting = file.read(at, file.iounit);
    await reader.readAll('session/p/id');
    values.push(
      await timed(async () => {
        void Promise.allSettled([writer.writeAll('approvals/resolve', 'x')]);
        at += (await waiting).length;
      }),
    );
  }
  return values.slice(WARM_UP);
}
