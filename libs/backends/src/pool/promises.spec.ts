import { SystemClock, type ModelRequest, type StreamEvent } from '#model';
import { describeBackend } from '#testkit';
import { OpenAIBackend } from '../openai/openai.backend.js';
import { startScriptedServer } from '../scripted/face/scripted-server.js';
import { scriptsByName } from '../scripted/library.js';
import { parseScript } from '../scripted/parse-script.js';
import { Member } from './member.js';
import { PooledBackend } from './pooled-backend.js';

const KEY = 'sk-planted-0123456789';
const patience = { idleMs: 1_200, progressMs: 10_000 };

/** Holds nothing against its account, so that each request is a matter of its own. */
class Forgiving extends PooledBackend {
  override stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent> {
    this.invalidate();
    return super.stream(request, signal);
  }
}

describeBackend('a pool with one account over HTTP', async (script) => {
  const server = await startScriptedServer({ scripts: scriptsByName({ conformance: parseScript(script, 'conformance') }), key: KEY });
  const make = (key: string | undefined): OpenAIBackend =>
    new OpenAIBackend({ name: 'acme', baseUrl: server.url, key, defaultModel: undefined, patience });
  const member = new Member({ name: 'one', concurrency: 50, make, tellKey: () => Promise.resolve(KEY) });
  const options = { name: 'acme', defaultModel: undefined, members: [member], clock: new SystemClock() };
  const backend = new Forgiving({ ...options, onSwitch: () => undefined });
  return { backend, active: () => server.active, close: async () => await server.close() };
});
