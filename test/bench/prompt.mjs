import { join } from 'node:path';
import { median, timed } from './_measure.mjs';
import { connect, startServer } from './_servers.mjs';

const ROUNDS = 60;
const WARM_UP = 10;
const AGENT = 'session/bench/agent/a';
const BASE = 'read of a short file';

/** Milliseconds from the prompt's write to the first byte of the answer in `chat`. */
async function firstByte(client, offset) {
  const chat = await client.open(`${AGENT}/chat`, 0);
  const started = performance.now();
  await client.writeAll(`${AGENT}/prompt`, 'say hi');
  const heading = 'user: say hi\n'.length;
  let seen = offset;
  let first;
  for (;;) {
    const bytes = await chat.read(seen, chat.iounit);
    if (bytes.length === 0) break;
    seen += bytes.length;
    if (first === undefined && seen > offset + heading) first = performance.now() - started;
  }
  await chat.clunk();
  return { first, end: seen };
}

/** Prompt write to first chat byte with the scripted backend, over the time to read a short file. */
export async function rows() {
  const server = await startServer('olliesrv', () => ['serve']);
  const client = await connect(join(server.folder, 'ns/ollie'));
  await client.ask('session/new', 'name=bench\n');
  await client.ask('session/bench/agent/new', `name=a\ncwd=${server.folder}/work\n`);
  const [firsts, reads] = [[], []];
  for (let round = 0, offset = 0; round < ROUNDS; round += 1) {
    const { first, end } = await firstByte(client, offset);
    offset = end;
    firsts.push(first);
    reads.push(await timed(() => client.readAll(`${AGENT}/name`)));
  }
  client.close();
  await server.stop();
  const [value, base] = [firsts, reads].map((values) => median(values.slice(WARM_UP)));
  return [
    { name: BASE, value: base, unit: 'ms', ratio: 1, over: BASE },
    { name: 'prompt write to first chat byte', value, unit: 'ms', ratio: value / base, over: BASE },
  ];
}
