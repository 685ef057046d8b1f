import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median, percentile, timed } from './_measure.mjs';
import { root } from './_servers.mjs';
import { knownProviders, longStream } from './_wire-streams.mjs';

const STREAM_BYTES = 10_000_000;
const PIECE_BYTES = 64 * 1024;
const WARM_ROUNDS = 2;
const ROUNDS = 9;
const TOKENS_A_SECOND = 500;
const TOKENS = 1000;
const WARM_TOKENS = 200;

/** The backends are TypeScript: what is measured of them is bundled to a file, and that is imported. */
async function load(entry) {
  const file = join(root, `dist/bench/${entry}.mjs`);
  await build({
    entryPoints: [join(root, `test/bench/_${entry}.ts`)],
    outfile: file,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    conditions: ['ollie-source'],
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  });
  return import(pathToFileURL(file).href);
}

/** A stream of 10 MB through one dialect, and through the parser of events and JSON.parse alone, in turn: the ratio is that of neighbours. */
async function decoding({ decode, parseEvents, parseLines }, provider) {
  const { pieces, words, characters, lines } = longStream(provider, STREAM_BYTES, PIECE_BYTES);
  const parse = lines ? parseLines : parseEvents;
  const rounds = [];
  for (let round = 0; round < WARM_ROUNDS + ROUNDS; round += 1) {
    const decoded = await timed(async () => {
      const read = await decode(provider, pieces);
      if (read.characters !== characters) throw new Error(`${provider}: ${read.characters} characters of ${characters}`);
    });
    const parsed = await timed(async () => {
      if ((await parse(pieces)) < words) throw new Error(`${provider}: not all of ${words} events were parsed`);
    });
    if (round >= WARM_ROUNDS) rounds.push({ decoded, ratio: decoded / parsed });
  }
  return {
    name: `${provider}: 10 MB (<= 1.5)`,
    value: median(rounds.map((round) => round.decoded)),
    unit: 'ms',
    ratio: median(rounds.map((round) => round.ratio)),
    over: lines ? 'lines and JSON.parse' : 'eventsource-parser and JSON.parse',
  };
}

/** From the provider's write, in a process of its own, to the text in the hands of `texts`; in ms. */
async function delays(texts) {
  const provider = spawn(process.execPath, [join(import.meta.dirname, '_stream-provider.mjs'), String(TOKENS_A_SECOND), String(TOKENS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(provider.stdout, 'data');
  const times = [];
  try {
    for await (const text of texts(`http://127.0.0.1:${String(line).trim()}/v1`)) {
      const now = process.hrtime.bigint();
      times.push(Number(now - BigInt(text.split(' ')[0])) / 1e6);
    }
  } finally {
    provider.kill();
    await once(provider, 'close');
  }
  return times.slice(WARM_TOKENS);
}

/** What a reader of Node's sockets alone takes out of the same stream, without an event being made. */
async function* bareTexts(url) {
  const sent = request(`${url}/chat/completions`, { method: 'POST' }).end('{}');
  const [response] = await once(sent, 'response');
  for await (const piece of response.setEncoding('utf8')) {
    const [, text] = /"content":"(\d+ )/.exec(piece) ?? [];
    if (text !== undefined) yield text;
  }
}

async function latency({ texts }) {
  const [bare, ours] = [await delays(bareTexts), await delays(texts)];
  const row = (name, part) => {
    const [value, base] = [percentile(ours, part), percentile(bare, part)];
    return { name, value, unit: 'ms', ratio: value / base, over: 'a bare reader' };
  };
  return [row("provider's byte to event, p50 (< 0.2)", 0.5), row("provider's byte to event, p99", 0.99)];
}

/** What reading answers costs: the decoding alone, and the time that a token takes through a backend on a quiet machine. */
export async function rows() {
  const bench = await load('decoding');
  const decoded = [];
  for (const provider of bench.providers.filter((name) => knownProviders.includes(name))) decoded.push(await decoding(bench, provider));
  return [...decoded, ...(await latency(bench))];
}
