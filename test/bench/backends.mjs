import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { interleaved, percentile } from './_measure.mjs';
import { root } from './_servers.mjs';
import { knownProviders, longStream } from './_wire-streams.mjs';

const STREAM_BYTES = 10_000_000;
const PIECE_BYTES = 64 * 1024;
const ROUNDS = 7;
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

/** A stream of 10 MB through one dialect, and through the parser of events and JSON.parse alone, in turn. */
async function decoding({ decode, parseEvents, parseLines }, provider) {
  const { pieces, words, characters, lines } = longStream(provider, STREAM_BYTES, PIECE_BYTES);
  const base = lines ? 'lines and JSON.parse' : 'eventsource-parser and JSON.parse';
  const parse = lines ? parseLines : parseEvents;
  const works = {
    decode: async () => {
      const read = await decode(provider, pieces);
      if (read.characters !== characters) throw new Error(`${provider}: ${read.characters} characters of ${characters}`);
    },
    parse: async () => {
      if ((await parse(pieces)) < words) throw new Error(`${provider}: not all of ${words} events were parsed`);
    },
  };
  const medians = await interleaved(works, ROUNDS);
  return { name: `${provider}: 10 MB (<= 1.5)`, value: medians.decode, unit: 'ms', ratio: medians.decode / medians.parse, over: base };
}

/** From the provider's write, in a process of its own, to the event in the hands of whoever asked; in ms. */
async function delays(backendAt) {
  const provider = spawn(process.execPath, [join(import.meta.dirname, '_stream-provider.mjs'), String(TOKENS_A_SECOND), String(TOKENS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(provider.stdout, 'data');
  const times = [];
  try {
    for await (const event of backendAt(`http://127.0.0.1:${String(line).trim()}/v1`)) {
      const now = process.hrtime.bigint();
      if (event.type === 'text') times.push(Number(now - BigInt(event.text.trim().split(' ')[0])) / 1e6);
    }
  } finally {
    provider.kill();
    await once(provider, 'close');
  }
  return times.slice(WARM_TOKENS);
}

/** What reading answers costs: the decoding alone, and the time that a token takes through a backend on a quiet machine. */
export async function rows() {
  const bench = await load('decoding');
  const decoded = [];
  for (const provider of bench.providers.filter((name) => knownProviders.includes(name))) decoded.push(await decoding(bench, provider));
  const times = await delays(bench.streamed);
  return [
    ...decoded,
    { name: "provider's byte to event, p50 (< 0.2)", value: percentile(times, 0.5), unit: 'ms' },
    { name: "provider's byte to event, p99", value: percentile(times, 0.99), unit: 'ms' },
  ];
}
