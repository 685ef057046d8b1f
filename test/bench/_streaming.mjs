// Many agents that stream at once, each with a reader: how long a byte takes from provider to reader.
import { startServer } from './_servers.mjs';
import { start } from './_start.mjs';

const STREAMS = 200;
const RATE = 50;
const TOKENS = 150;
/** The first warms both up, and does not count. */
const PARTS = 8;

/** Its own pauses would be taken for the server's. */
const SHORT_PAUSES = ['--max-semi-space-size=1'];

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)];
}

function median(values) {
  return percentile(values, 0.5);
}

/** A share of the ages of each part. */
function perPart(ages, share) {
  const tokens = STREAMS * TOKENS;
  return Array.from({ length: PARTS - 1 }, (_, part) => percentile(ages.slice((part + 1) * tokens, (part + 2) * tokens), share));
}

/**
 * p50 and p99 from the provider's byte to the reader's, and how often that of a bare relay of the same load in the part before:
 * the medians of the parts, for a pause of the machine is as likely to be in one as in the other.
 */
export async function streamingRows() {
  const provider = await start('_stream-provider.mjs', [RATE, TOKENS]);
  const url = `http://127.0.0.1:${provider.line}/v1`;
  const server = await startServer('olliesrv', () => ['serve'], { OLLIE_BACKEND: 'openai', OLLIE_OPENAI_URL: url, OLLIE_MODEL: 'm' });
  const load = await start('_stream-load.mjs', [server.folder, provider.line, STREAMS, PARTS], SHORT_PAUSES);
  const { ours, bare } = JSON.parse(load.line);
  await server.stop();
  provider.stop();
  const expected = STREAMS * TOKENS;
  if (bare.length < expected * PARTS) throw new Error(`the relay lost tokens: ${bare.length} of ${expected * PARTS}`);
  return [0.5, 0.99].map((share) => {
    const [values, bases] = [perPart(ours, share), perPart(bare, share)];
    const name = `byte to reader, ${STREAMS} streams, p${share * 100}${share === 0.99 ? ' (<= 2)' : ''}`;
    const ratio = median(values.map((value, part) => value / bases[part]));
    return { name, value: median(values), unit: 'ms', ratio, over: `bare relay (${median(bases).toFixed(2)})` };
  });
}
