// What other agents were measured at (idle, eight at once; see resume.mjs too), in the same form: the whole of both servers, sandbox on.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAgents, ROUNDS, startProvider, turn } from './_rounds.mjs';
import { connect, startServer } from './_servers.mjs';

/** After work the servers return its memory, and eight seconds later the engine looks whether there is more: then they are idle. */
const SETTLING_MS = 20_000;
const IDLE_SECONDS = 20;
const AGENTS = 8;
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

export async function rows() {
  const provider = await startProvider();
  const result = await atOnceAndIdle(provider);
  provider.stop();
  return result;
}
