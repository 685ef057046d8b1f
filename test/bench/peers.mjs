// What other agents were measured at (idle, eight at once, resume), in the same form: the whole of both servers, sandbox on.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './_measure.mjs';
import { connect, programs, startServer } from './_servers.mjs';

/** After work the servers return its memory, and eight seconds later the engine looks whether there is more: then they are idle. */
const SETTLING_MS = 20_000;
const IDLE_SECONDS = 20;
const AGENTS = 8;
const ROUNDS = 20;
const MESSAGES = 1000;
const RESUMES = 5;
const TICKS = 100;

/** The program and all that it has started. */
function tree(pid) {
  const parents = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readOr(`/proc/${name}/stat`) : '';
    return stat === '' ? [] : [[Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])]];
  });
  const found = [pid];
  for (let at = 0; at < found.length; at += 1) found.push(...parents.filter(([, parent]) => parent === found[at]).map(([child]) => child));
  return found;
}

function readOr(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    return ''; // it ended meanwhile
  }
}

function threads(process) {
  try {
    return readdirSync(`/proc/${process}/task`).map((thread) => `/proc/${process}/task/${thread}`);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    return [];
  }
}

function switchesOf(thread) {
  return [...readOr(`${thread}/status`).matchAll(/ctxt_switches:\s+(\d+)/g)].map(([, n]) => Number(n));
}

/** CPU seconds (of ended children too), context switches of all threads and PSS in MB of a tree. */
function costs(pid) {
  const all = tree(pid).map((process) => {
    const stat = readOr(`/proc/${process}/stat`);
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const switches = threads(process)
      .flatMap(switchesOf)
      .reduce((sum, n) => sum + n, 0);
    const pss = Number(/^Pss:\s+(\d+)/m.exec(readOr(`/proc/${process}/smaps_rollup`))?.[1] ?? 0) / 1024;
    return { cpu: (fields[11] + fields[12] + fields[13] + fields[14]) / TICKS, switches, pss };
  });
  const sum = (key) => all.reduce((total, one) => total + (one[key] || 0), 0);
  return { cpu: sum('cpu'), switches: sum('switches'), pss: sum('pss') };
}

async function startProvider() {
  const child = spawn(process.execPath, [join(import.meta.dirname, '_round-provider.mjs'), String(ROUNDS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [port] = await once(lines, 'line');
  return {
    lines,
    env: { OLLIE_BACKEND: 'openai', OLLIE_OPENAI_URL: `http://127.0.0.1:${port}/v1`, OLLIE_MODEL: 'm' },
    stop: () => child.kill(),
  };
}

async function turn(client, path) {
  const chat = await client.open(`${path}/chat`, 0);
  await client.writeAll(`${path}/prompt`, 'go');
  for (let at = 0; ;) {
    const bytes = await chat.read(at, chat.iounit);
    if (bytes.length === 0) break;
    at += bytes.length;
  }
  await chat.clunk();
}

async function makeAgents(client, count) {
  await client.ask('session/new', 'name=s\n');
  const paths = Array.from({ length: count }, (_, index) => `session/s/agent/a${index}`);
  for (const path of paths) await client.ask('session/s/agent/new', `name=${path.split('/').at(-1)}\n`);
  return paths;
}

/** Eight turns of twenty rounds with a sandboxed tool call each, at once, through one daemon; then the daemon idle. */
async function atOnceAndIdle(provider) {
  const server = await startServer('olliesrv', () => ['serve'], provider.env);
  const client = await connect(join(server.folder, 'ns/ollie'));
  const paths = await makeAgents(client, AGENTS);
  const before = costs(server.pid);
  const begun = performance.now();
  await Promise.all(paths.map((path) => turn(client, path)));
  const wall = (performance.now() - begun) / 1000;
  const after = costs(server.pid);
  await sleep(SETTLING_MS);
  const [from, start] = [costs(server.pid), performance.now()];
  await sleep(IDLE_SECONDS * 1000);
  const [to, seconds] = [costs(server.pid), (performance.now() - start) / 1000];
  client.close();
  await server.stop();
  return [
    { name: `7: ${AGENTS} x ${ROUNDS} rounds, wall (<= 4.6)`, value: wall, unit: 's' },
    { name: '7: CPU of both servers and tools (<= 7.5)', value: after.cpu - before.cpu, unit: 's' },
    { name: '7: memory (PSS) after it (< 426)', value: after.pss, unit: 'MB' },
    { name: '6: idle CPU (0.00)', value: ((to.cpu - from.cpu) / seconds) * 100, unit: '%' },
    { name: '6: idle switches (<= 0.15)', value: (to.switches - from.switches) / seconds, unit: '/s' },
    { name: '6: idle memory (PSS) of both (< 125)', value: to.pss, unit: 'MB' },
  ];
}

/** Milliseconds from the start of a client program to the provider's request. */
async function clientToRequest({ provider, env, client }, path) {
  const request = once(provider.lines, 'line');
  const begun = process.hrtime.bigint();
  const child = spawn(process.execPath, [join(programs, 'ollie-9p.cjs'), 'write', `${path}/prompt`], {
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  child.stdin.end('go on');
  const [[line]] = await Promise.all([request, once(child, 'close')]);
  await idle(client, path);
  return Number(BigInt(line.split(' ')[1]) - begun) / 1e6;
}

async function idle(client, path) {
  while (String(Buffer.from(await client.readAll(`${path}/cfg`))).startsWith('state=running')) await sleep(50);
}

/** A server that has just been started on a store with a long conversation: its next turn, and the first of a new session. */
async function resume(provider) {
  const server = await startServer('olliesrv', () => ['serve'], provider.env);
  const client = await connect(join(server.folder, 'ns/ollie'));
  const [path] = await makeAgents(client, 1);
  for (let messages = 0; messages < MESSAGES; messages += 2 * ROUNDS + 2) await turn(client, path);
  client.close();
  await server.halt();
  const times = { long: [], fresh: [] };
  for (let round = 0; round < RESUMES; round += 1) {
    const child = spawn(process.execPath, [join(programs, 'olliesrv.mjs'), 'serve'], {
      env: server.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const text of child.stdout) if (String(text).includes('listening on')) break;
    const next = await connect(join(server.folder, 'ns/ollie'));
    await next.ask('session/new', `name=fresh${round}\n`);
    await next.ask(`session/fresh${round}/agent/new`, 'name=a\n');
    const place = { provider, env: server.env, client: next };
    times.fresh.push(await clientToRequest(place, `session/fresh${round}/agent/a`));
    times.long.push(await clientToRequest(place, path));
    next.close();
    child.kill('SIGTERM');
    await once(child, 'close');
  }
  server.remove();
  const [long, fresh] = [median(times.long), median(times.fresh)];
  return [
    { name: `8: resume ${MESSAGES} messages, client's start to request (< 282)`, value: long, unit: 'ms' },
    { name: '8: what that is more than a new session (< 50)', value: long - fresh, unit: 'ms' },
  ];
}

export async function rows() {
  const provider = await startProvider();
  provider.lines.on('line', () => undefined);
  const result = [...(await atOnceAndIdle(provider)), ...(await resume(provider))];
  provider.stop();
  return result;
}
