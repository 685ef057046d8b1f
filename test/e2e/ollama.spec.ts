import type { JsonObject, JsonValue } from '#model';
import { ModelServer } from './model-server.js';
import { until } from './ollie.js';
import { ollieServedBy } from './ollie-served-by.js';

jest.setTimeout(60_000);

const AGENT = 'session/s/agent/a';
const WINDOW = 8_192;

const says = (message: JsonObject): JsonObject => ({
  model: 'tiny:1',
  message: { role: 'assistant', content: '', ...message },
  done: false,
});
const done = (read: number): JsonObject => ({ ...says({}), done: true, done_reason: 'stop', prompt_eval_count: read, eval_count: 9 });

/** One answer after the other; with the second the window is full. */
const ANSWERS: readonly (readonly JsonObject[])[] = [
  [says({ thinking: 'Hm.' }), says({ tool_calls: [{ function: { name: 'shell', arguments: { cmd: 'echo forty-two' } } }] }), done(100)],
  [says({ content: 'It said ' }), says({ content: 'forty-two.' }), done(WINDOW)],
];

describe('an agent whose model runs in Ollama', () => {
  const told: Readonly<Record<string, JsonValue>> = {
    '/api/tags': { models: [{ model: 'tiny:1' }] },
    '/api/ps': { models: [] },
    '/api/show': { parameters: `num_ctx ${WINDOW}`, capabilities: ['completion', 'tools', 'thinking'] },
  };
  const server = new ModelServer((request, response, ask) => {
    const fixed = told[request.url ?? ''];
    if (fixed !== undefined) return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(fixed));
    const answer = ANSWERS[ask()] ?? ANSWERS[1] ?? [];
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    return response.end(answer.map((line) => `${JSON.stringify(line)}\n`).join(''));
  });
  const { bodies } = server;
  const { sh } = ollieServedBy(server, (url) => ({ OLLIE_MODEL: 'tiny:1', OLLIE_OLLAMA_URL: url }));

  it('is found among the backends, and so are its models', async () => {
    expect(await sh('ollie-9p read backends')).toBe('ollama\nscripted\n');
    expect(await sh('ollie-9p read models')).toMatch(/^ollama\ttiny:1\nscripted\t/);
  });

  it('runs its calls with the window of its Modelfile, and gets its thinking back with them', async () => {
    await sh('echo name=s | ollie-9p write session/new; echo name=a backend=ollama | ollie-9p write session/s/agent/new');
    await sh(`echo look | ollie-9p write ${AGENT}/prompt`);
    await until('the turn is over', async () => (await sh(`ollie-9p read ${AGENT}/log`)).includes('(OLLIE_OLLAMA_NUM_CTX)'));
    expect(bodies.map(({ options }) => options)).toEqual([{ num_ctx: WINDOW }, { num_ctx: WINDOW }]);
    expect(messagesOf(bodies[1]).slice(-2)).toMatchObject([
      { role: 'assistant', thinking: 'Hm.', tool_calls: [{ function: { name: 'shell', arguments: { cmd: 'echo forty-two' } } }] },
      { role: 'tool', tool_name: 'shell', content: expect.stringContaining('forty-two\n') },
    ]);
  });

  it('says behind the answer that the server has not read all', async () => {
    const log = await sh(`ollie-9p read ${AGENT}/log`);
    expect(log).toContain(
      `It said forty-two.\n:: the beginning of the conversation was probably left out: the model runs with a window of ${WINDOW}`,
    );
    expect(await sh(`ollie-9p read ${AGENT}/stats`)).toMatch(/^totalInputTokens=8292$/m);
  });
});

function messagesOf(body: JsonObject | undefined): readonly unknown[] {
  return Array.isArray(body?.messages) ? body.messages : [];
}
