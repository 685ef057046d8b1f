import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './_measure.mjs';
import { buildLoad, load, serverProgram, sharedBench, start } from './_ninep-load.mjs';
import { connect } from './_servers.mjs';

const ROUNDS = 3;
const LOG_MEGABYTES = 100;
const READERS = 1000;
const QUIET_MS = 2000;
const CEILING = 'the ceiling of this runtime';

/** What is measured with the load generator: its arguments, which figure counts, and the bound on its ratio to the ceiling. */
const LOADS = [
  { name: 'read round trip, depth 1 (<= 1.3)', args: ['-n', '5000', '-f', 'hello', 'read'], figure: 'p50_us', unit: 'us' },
  { name: 'stat round trip, depth 1', args: ['-n', '5000', '-f', 'hello', 'stat'], figure: 'p50_us', unit: 'us' },
  { name: 'walk, open, read, clunk', args: ['-n', '3000', '-f', 'hello', 'walk'], figure: 'p50_us', unit: 'us' },
  {
    name: '8 connections, depth 16 (>= 0.5)',
    args: ['-c', '8', '-d', '16', '-t', '2', '-f', 'hello', 'rpc'],
    figure: 'rpc_s',
    unit: 'rpc/s',
  },
  {
    name: 'bulk, 64 KiB, depth 1 (>= 0.7)',
    args: ['-m', '65536', '-d', '1', '-t', '2', '-f', 'big', 'bulk'],
    figure: 'MB_s',
    unit: 'MB/s',
  },
  {
    name: 'bulk, 64 KiB, depth 4 (>= 0.7)',
    args: ['-m', '65536', '-d', '4', '-t', '2', '-f', 'big', 'bulk'],
    figure: 'MB_s',
    unit: 'MB/s',
  },
  { name: '10,000 entries at 128 KiB (<= 3)', args: ['-m', '131072', '-n', '30', '-D', 'd10k', 'ls'], figure: 'p50_us', unit: 'us' },
];

/** Both servers in turn, round by round, so that a busy machine is unfair to neither. */
function compare(generator, sockets, measure) {
  const values = { ours: [], ceiling: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const who of ['ceiling', 'ours']) values[who].push(load(generator, sockets[who], measure));
  }
  const [value, ceiling] = [median(values.ours), median(values.ceiling)];
  return { name: measure.name, value, unit: measure.unit, ratio: value / ceiling, over: `${CEILING} (${ceiling})` };
}

function residentMegabytes(pid) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(kilobytes) / 1024;
}

/** Processor time that a process has used, in ms (proc(5): fields 14 and 15, in hundredths of a second). */
function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** How much a server grows while a client reads a long log. */
async function logGrowth(socket, pid) {
  const client = await connect(socket);
  const file = await client.open('log', 0);
  await file.read(0, file.iounit);
  const before = residentMegabytes(pid);
  let most = before;
  for (let offset = 0; ;) {
    const bytes = await file.read(offset, file.iounit);
    if (bytes.length === 0) break;
    offset += bytes.length;
    most = Math.max(most, residentMegabytes(pid));
  }
  client.close();
  return { name: `growth while ${LOG_MEGABYTES} MiB of log are read (< 20)`, value: most - before, unit: 'MB' };
}

/** A thousand readers that wait: what they cost, and how long it takes until one change has woken all. */
async function blockedReaders(socket, pid) {
  const clients = await Promise.all(Array.from({ length: 10 }, () => connect(socket)));
  const files = await Promise.all(Array.from({ length: READERS }, (_, n) => clients[n % clients.length].open('wait', 0)));
  const reads = files.map((file) => file.read(0, 100));
  await sleep(QUIET_MS / 4);
  const before = cpuMs(pid);
  await sleep(QUIET_MS);
  const cost = cpuMs(pid) - before;
  const waker = await connect(socket);
  const started = performance.now();
  await waker.writeAll('ctl', 'wake\n');
  await Promise.all(reads);
  const woken = performance.now() - started;
  for (const client of [...clients, waker]) client.close();
  return [
    { name: `CPU of ${READERS} blocked readers in ${QUIET_MS} ms (0)`, value: cost, unit: 'ms' },
    { name: `waking ${READERS} readers (< 50)`, value: woken, unit: 'ms' },
  ];
}

/** The 9P server over a tree of all that is read often, against the least work that this runtime can do. */
export async function rows() {
  const shared = sharedBench();
  const folder = mkdtempSync(join(tmpdir(), 'ollie-bench-'));
  const sockets = { ours: join(folder, 'ours'), ceiling: join(folder, 'ceiling') };
  const servers = [];
  try {
    const generator = buildLoad(folder);
    servers.push(await start(join(shared, 'ceil9.js'), [`unix:${sockets.ceiling}`], sockets.ceiling));
    servers.push(await start(await serverProgram(), [`unix!${sockets.ours}`, String(LOG_MEGABYTES)], sockets.ours));
    const loads = LOADS.map((measure) => compare(generator, sockets, measure));
    const { pid } = servers[1];
    return [...loads, await logGrowth(sockets.ours, pid), ...(await blockedReaders(sockets.ours, pid))];
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
