import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSessions } from './_kept.mjs';
import { median, timed } from './_measure.mjs';
import { connect, startServer } from './_servers.mjs';
import { streamingRows } from './_streaming.mjs';

const SESSIONS = 100;
const AGENTS = 100;
const TURNS = 2000;
const WINDOW = 50;

/** What keeping sessions costs: idle agents, listing and starting with many, the first turns against late ones, many that stream. */
export async function rows() {
  return [...(await idleAgents()), ...(await restore()), ...(await turns()), ...(await streamingRows())];
}

/** 10,000 agents in 100 sessions that have had no turn, before and after a restart. */
async function idleAgents() {
  const data = mkdtempSync(join(tmpdir(), 'ollie-bench-data-'));
  const server = await startServer('olliesrv', () => ['serve'], { OLLIE_DATA_PATH: data });
  const client = await connect(join(server.folder, 'ns/ollie'));
  await client.ask('session/new', 'name=first\n');
  const before = rss(server.pid);
  for (let session = 0; session < SESSIONS; session += 1) {
    await client.ask('session/new', `name=s${String(session)}\n`);
    for (let agent = 0; agent < AGENTS; agent += 1) await client.ask(`session/s${String(session)}/agent/new`, `name=a${String(agent)}\n`);
  }
  const grown = rss(server.pid) - before;
  const reads = {};
  for (const path of ['session/idx', 'session/s50/agent/idx', 'aliases']) reads[path] = await medianOf(() => client.readAll(path));
  reads['ls of 100 agents'] = await medianOf(() => client.list('session/s50/agent'));
  client.close();
  await server.stop();
  const [started, again] = await restarted(data);
  const count = SESSIONS * AGENTS;
  rmSync(data, { recursive: true, force: true });
  return [
    { name: 'RSS of an idle agent', value: grown / count, unit: 'KB' },
    { name: 'the same after a restart', value: (again - before) / count, unit: 'KB' },
    { name: 'start with 10,000 agents', value: started, unit: 'ms' },
    ...Object.entries(reads).map(([name, value]) => ({ name: `10,000 agents: ${name}`, value, unit: 'ms' })),
  ];
}

/** 1,000 sessions of 100 messages: from the start to the index, over the same without any. */
async function restore() {
  const [none, many] = ['none', 'many'].map(() => mkdtempSync(join(tmpdir(), 'ollie-bench-data-')));
  writeSessions(many, 1000, 100);
  const [empty] = await restarted(none);
  const [full] = await restarted(many);
  for (const data of [none, many]) rmSync(data, { recursive: true, force: true });
  return [{ name: 'start and index of 1,000 sessions', value: full, unit: 'ms', ratio: full / empty, over: 'start without any' }];
}

/** Milliseconds from the start to the whole index, and KB of memory then. */
async function restarted(data) {
  const begun = performance.now();
  const server = await startServer('olliesrv', () => ['serve'], { OLLIE_DATA_PATH: data });
  const client = await connect(join(server.folder, 'ns/ollie'));
  await client.readAll('session/idx');
  const result = [performance.now() - begun, rss(server.pid)];
  client.close();
  await server.stop();
  return result;
}

/** What a turn costs, in bytes that the server writes and in time: early turns, and those up to the 2,000th. */
async function turns() {
  const server = await startServer('olliesrv', () => ['serve']);
  const client = await connect(join(server.folder, 'ns/ollie'));
  await client.ask('session/new', 'name=s\n');
  await client.ask('session/s/agent/new', 'name=a\n');
  const chat = await client.open('session/s/agent/a/chat', 0);
  let offset = 0;
  const turn = async () => {
    await client.writeAll('session/s/agent/a/prompt', 'say hi');
    for (;;) {
      const piece = await chat.read(offset, chat.iounit);
      offset += piece.length;
      if (piece.length === 0) return;
    }
  };
  const windowOf = async () => {
    const from = written(server.pid);
    const times = [];
    for (let number = 0; number < WINDOW; number += 1) times.push(await timed(turn));
    return { bytes: (written(server.pid) - from) / WINDOW, ms: median(times) };
  };
  for (let number = 0; number < 10; number += 1) await turn();
  const early = await windowOf();
  for (let number = 10 + WINDOW; number < TURNS - WINDOW; number += 1) await turn();
  const late = await windowOf();
  client.close();
  await server.stop();
  return [
    { name: 'bytes written a turn at the 10th', value: early.bytes, unit: 'B' },
    { name: 'bytes written a turn at the 2,000th', value: late.bytes, unit: 'B', ratio: late.bytes / early.bytes, over: 'at the 10th' },
    { name: 'a turn at the 10th', value: early.ms, unit: 'ms' },
    { name: 'a turn at the 2,000th', value: late.ms, unit: 'ms', ratio: late.ms / early.ms, over: 'at the 10th' },
  ];
}

async function medianOf(work) {
  const times = [];
  for (let round = 0; round < 7; round += 1) times.push(await timed(work));
  return median(times);
}

function rss(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))[1]);
}

function written(pid) {
  return Number(/wchar: (\d+)/.exec(readFileSync(`/proc/${String(pid)}/io`, 'utf8'))[1]);
}
