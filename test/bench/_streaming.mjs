// Many agents that stream at once, each with a reader: how long a byte takes from provider to reader.
import { startServer } from './_servers.mjs';
import { start } from './_start.mjs';

const STREAMS = 200;
const RATE = 50;
const TOKENS = 150;
const PARTS = 3;

/** Its own pauses would be taken for the server's. */
const SHORT_PAUSES = ['--max-semi-space-size=1'];

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)];
}

/** p50 and p99 from the provider's byte to the reader's, and the same through a bare relay of the same load in the same run. */
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
    const [value, base] = [percentile(ours, share), percentile(bare, share)];
    const name = `byte to reader, ${STREAMS} streams, p${share * 100}${share === 0.99 ? ' (<= 2)' : ''}`;
    return { name, value, unit: 'ms', ratio: value / base, over: `bare relay (${base.toFixed(2)})` };
  });
}
