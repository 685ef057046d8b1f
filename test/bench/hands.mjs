import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median, timed } from './_measure.mjs';
import { connect, root, startServer } from './_servers.mjs';

const ROUNDS = 300;
/** Until what runs all day has been compiled, here and in toolsrv. */
const WARM_UP = 200;
const AT_ONCE = 16;
const BATCH = 64;
const BATCHES = 5;
const PARENT_MEGABYTES = 60;
const BASE = 'spawn of /bin/true by Node, pipes, until close';

async function launchers() {
  const file = join(root, 'dist/bench/launchers.mjs');
  await build({
    entryPoints: [join(root, 'test/bench/_launchers.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['ollie-source'],
    external: ['@nestjs/*', 'reflect-metadata', 'rxjs'],
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'warning',
  });
  return import(pathToFileURL(file).href);
}

async function plainSpawn() {
  const child = spawn('/bin/true', [], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
}

/** A process's size decides what its forks cost: this one is made as large as a server is. */
function ballast() {
  const missing = PARENT_MEGABYTES * 1024 * 1024 - process.memoryUsage().rss;
  return Buffer.alloc(Math.max(0, missing), 1);
}

/** Fisher and Yates. */
function shuffle(list) {
  for (let i = list.length - 1; i > 0; i -= 1) {
    const other = Math.floor(Math.random() * (i + 1));
    [list[i], list[other]] = [list[other], list[i]];
  }
}

/** How long the start alone keeps the event loop, and how long the whole call takes, in ms: medians, taken in turn. */
async function measure(works, settled) {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, { call: [], start: [] }]));
  const order = Object.entries(works);
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    // What comes before has an effect: after a while everything has come before everything.
    shuffle(order);
    for (const [name, work] of order) {
      const begun = performance.now();
      const call = work();
      const started = performance.now() - begun;
      await call;
      if (round >= 0) times[name].call.push(performance.now() - begun);
      if (round >= 0) times[name].start.push(started);
      await settled();
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, { call, start }]) => [name, { call: median(call), start: median(start) }]));
}

/** Calls a second, `AT_ONCE` of them at any time. */
async function rate(work) {
  const rates = [];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    let left = BATCH;
    const worker = async () => {
      while (left-- > 0) await work();
    };
    const ms = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, worker)));
    rates.push((BATCH / ms) * 1000);
  }
  return median(rates);
}

/** toolsrv with a tool that is /bin/true and nothing else. */
async function toolsrvCall() {
  const server = await startServer('toolsrv', (folder) => {
    const tools = join(folder, 'home/.config/ollie/tools');
    mkdirSync(tools, { recursive: true });
    writeFileSync(join(tools, 'true.yaml'), 'description: does nothing, successfully\ncommand: [/bin/true]\n');
    return ['serve', '--cwd', `${folder}/work`, '--listen', `${folder}/t.sock`, '--no-auth'];
  });
  const client = await connect(join(server.folder, 't.sock'), 'bench');
  await client.writeAll('ctl', 'load bench true\n');
  let closing = Promise.resolve();
  return {
    pid: server.pid,
    async call() {
      // As olliesrv does: the answer is one line, and nobody waits for the file to be closed.
      const { file, first } = await client.begin('proc/new', 'tool=true\nagent=bench\n');
      const answer = String(Buffer.from(await first));
      closing = file.clunk();
      if (!answer.endsWith('\n') || JSON.parse(answer).isError) throw new Error(answer);
    },
    /** Nothing is left to do for what was answered. */
    settled: () => closing,
    async stop() {
      await closing;
      client.close();
      await server.stop();
    },
  };
}

function callRows(times, { ours, outside, single, singleCell, bare, endToEnd }) {
  const base = times[BASE].call;
  const row = (name, what) => ({
    name,
    value: times[what].call,
    unit: 'ms',
    ratio: times[what].call / base,
    over: `${BASE} (${base.toFixed(2)})`,
  });
  return [
    row('sandboxed call, in a cell (<= 0.65)', ours),
    row('sandboxed call, supervisor without cells (<= 0.65)', outside),
    { name: 'its start blocks the event loop (<= 0.2)', value: times[ours].start, unit: 'ms' },
    row('sandboxed call, one helper a run (<= 1.3)', single),
    row('the same, each in a cell of its own', singleCell),
    { name: 'the sandbox alone, in a cell (<= 0.25)', value: times[ours].call - times[bare].call, unit: 'ms' },
    { name: 'the sandbox alone, without cells (<= 0.25)', value: times[outside].call - times[bare].call, unit: 'ms' },
    row('proc/new of true, over 9P (<= 1.0)', endToEnd),
  ];
}

/** What a sandboxed call costs: through the supervisor, through a helper of its own, and over 9P. */
export async function rows() {
  const held = ballast();
  const { orderOf, runOrder, single, supervised } = await launchers();
  const [inCell, sandboxed, open] = [orderOf('cell'), orderOf('fallback'), orderOf('open')];
  for (const order of [inCell, open]) if (!(await supervised.whenReady(order))) throw new Error('there is no supervisor');
  const toolsrv = await toolsrvCall();
  const names = {
    ours: 'cell',
    outside: 'supervisor',
    singleCell: 'single cell',
    single: 'single',
    bare: 'supervisor without sandbox',
    endToEnd: 'toolsrv',
  };
  const works = {
    [BASE]: plainSpawn,
    [names.ours]: () => runOrder(supervised, inCell),
    [names.outside]: () => runOrder(supervised, sandboxed),
    [names.singleCell]: () => runOrder(single, inCell),
    [names.single]: () => runOrder(single, sandboxed),
    [names.bare]: () => runOrder(supervised, open),
    [names.endToEnd]: () => toolsrv.call(),
  };
  const times = await measure(works, toolsrv.settled);
  const rates = { node: await rate(plainSpawn), ours: await rate(works[names.ours]) };
  await toolsrv.stop();
  await supervised.close();
  held.fill(0);
  const many = {
    name: `calls a second, ${AT_ONCE} at once (>= 1.5)`,
    value: rates.ours,
    unit: '/s',
    ratio: rates.ours / rates.node,
    over: `Node (${rates.node.toFixed(0)})`,
  };
  return [...callRows(times, names), many];
}
