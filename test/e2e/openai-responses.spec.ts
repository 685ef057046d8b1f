import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '#model';
import { ModelServer } from './model-server.js';
import { Ollie, until } from './ollie.js';

jest.setTimeout(60_000);

const AGENT = 'session/s/agent/a';
const KEY = 'sk-planted';
const THOUGHT = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'I look first.' }], encrypted_content: 'RU5D' };
const CALL = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'shell', arguments: '{"cmd":"echo forty-two"}' };
const USAGE = { input_tokens: 100, input_tokens_details: { cached_tokens: 90 }, output_tokens: 20 };

/** One answer after the other, as OpenAI streams them. */
const ANSWERS: readonly (readonly (JsonObject & { readonly type: string })[])[] = [
  [
    { type: 'response.created', response: { id: 'resp_1' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
    { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'I look first.' },
    { type: 'response.output_item.done', output_index: 0, item: THOUGHT },
    { type: 'response.output_item.added', output_index: 1, item: { ...CALL, arguments: '' } },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '{"cmd":"echo forty' },
    { type: 'response.function_call_arguments.delta', output_index: 1, delta: '-two"}' },
    { type: 'response.output_item.done', output_index: 1, item: CALL },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', usage: USAGE } },
  ],
  [
    { type: 'response.output_text.delta', output_index: 0, delta: 'It said forty-two.' },
    { type: 'response.completed', response: { id: 'resp_2', status: 'completed' } },
  ],
];

describe('an agent whose model answers by responses', () => {
  const server = new ModelServer((request, response, ask) => {
    if (request.method === 'GET') return response.end('{"data":[{"id":"gpt-6-sol"}]}');
    const answer = ANSWERS[ask()] ?? ANSWERS[1] ?? [];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(answer.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  });
  const { bodies } = server;
  const ollie = new Ollie({ OLLIE_BACKEND: '' });
  const sh = async (script: string): Promise<string> => (await ollie.sh(script)).stdout;

  beforeAll(async () => {
    const url = `${await server.listen()}/v1`;
    const gate = {
      name: 'gate',
      dialect: 'openai',
      quirks: { preset: 'openai' },
      url,
      keyCommand: ['printf', KEY],
      defaultModel: 'gpt-6-sol',
    };
    const directory = join(ollie.folder, 'home/.config/ollie');
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'config.json'), JSON.stringify({ backends: [gate] }), { mode: 0o600 });
    await ollie.start();
  });
  afterAll(async () => {
    await ollie.destroy();
    server.close();
  });

  it('runs its calls, and gets back what it thought, unchanged, before the call and its result', async () => {
    await sh('echo name=s | ollie-9p write session/new; echo name=a backend=gate | ollie-9p write session/s/agent/new');
    await sh(`echo reasoningEffort=high | ollie-9p write ${AGENT}/cfg`);
    await sh(`echo look | ollie-9p write ${AGENT}/prompt`);
    await until('the turn is over', async () => (await sh(`ollie-9p read ${AGENT}/log`)).includes('It said forty-two.'));
    expect(bodies).toHaveLength(2);
    const { id: _id, ...sent } = CALL;
    expect(inputOf(bodies[1]).slice(-3)).toMatchObject([THOUGHT, sent, { type: 'function_call_output', call_id: 'call_1' }]);
    expect(JSON.stringify(inputOf(bodies[1]).slice(-1))).toContain('forty-two\\n');
    expect(bodies[1]).toMatchObject({
      reasoning: { effort: 'high', summary: 'auto' },
      store: false,
      prompt_cache_key: bodies[0]?.prompt_cache_key,
    });
    expect(bodies[0]?.prompt_cache_key).toEqual(expect.stringMatching(/./));
    expect(await sh(`ollie-9p read ${AGENT}/stats`)).toMatch(/^totalCachedInputTokens=90$/m);
  });

  it('gets it back after a restart too', async () => {
    await ollie.end();
    await ollie.start();
    await sh(`echo again | ollie-9p write ${AGENT}/prompt`);
    await until('the turn is over', async () => bodies.length === 3);
    expect(JSON.stringify(inputOf(bodies[2]))).toContain(JSON.stringify(THOUGHT));
    expect(bodies[2]?.prompt_cache_key).toBe(bodies[0]?.prompt_cache_key);
  });
});

function inputOf(body: JsonObject | undefined): readonly unknown[] {
  return Array.isArray(body?.input) ? body.input : [];
}
