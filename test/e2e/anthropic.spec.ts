import type { JsonObject } from '#model';
import { ModelServer } from './model-server.js';
import { until } from './ollie.js';
import { ollieServedBy } from './ollie-served-by.js';

jest.setTimeout(60_000);

const AGENT = 'session/s/agent/a';
const KEY = 'sk-ant-planted';
const SIGNED = { type: 'thinking', thinking: 'I look first.', signature: 'c2lnbmVk' };

/** One answer after the other, as Anthropic streams them. */
const ANSWERS: readonly (readonly (JsonObject & { readonly type: string })[])[] = [
  [
    { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 10, cache_read_input_tokens: 90, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: SIGNED.thinking } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: SIGNED.signature } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 'toolu_1', name: 'shell', input: {} } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"cmd":"echo forty' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '-two"}' } },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ],
  [
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'It said forty-two.' } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ],
];

describe('an agent whose model is Anthropic’s', () => {
  const server = new ModelServer((request, response, ask) => {
    if (request.method === 'GET') return response.end('{"data":[{"id":"claude-sonnet-5","max_input_tokens":1000000}]}');
    const answer = ANSWERS[ask()] ?? ANSWERS[1] ?? [];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(answer.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  });
  const { bodies } = server;
  const { sh, restart } = ollieServedBy(server, (url) => ({
    OLLIE_MODEL: 'claude-sonnet-5',
    OLLIE_ANTHROPIC_KEY: KEY,
    OLLIE_ANTHROPIC_URL: url,
  }));

  it('is found among the backends, and so are its models', async () => {
    expect(await sh('ollie-9p read backends')).toBe('anthropic\nscripted\n');
    expect(await sh('ollie-9p read models')).toMatch(/^anthropic\tclaude-sonnet-5\nscripted\t/);
  });

  it('runs its calls, and gets back what it signed, unchanged, with the result behind it', async () => {
    await sh('echo name=s | ollie-9p write session/new; echo name=a backend=anthropic | ollie-9p write session/s/agent/new');
    await sh(`echo look | ollie-9p write ${AGENT}/prompt`);
    await until('the turn is over', async () => (await sh(`ollie-9p read ${AGENT}/log`)).includes('It said forty-two.'));
    expect(bodies).toHaveLength(2);
    expect(messagesOf(bodies[1]).slice(-2)).toMatchObject([
      { role: 'assistant', content: [SIGNED, { type: 'tool_use', id: 'toolu_1', name: 'shell', input: { cmd: 'echo forty-two' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
    ]);
    expect(JSON.stringify(messagesOf(bodies[1]).slice(-1))).toContain('forty-two\\n');
    expect(await sh(`ollie-9p read ${AGENT}/stats`)).toMatch(/^totalCachedInputTokens=90$/m);
  });

  it('gets it back after a restart too, and nothing that is kept holds the key', async () => {
    await restart();
    await sh(`echo again | ollie-9p write ${AGENT}/prompt`);
    await until('the turn is over', async () => bodies.length === 3);
    expect(JSON.stringify(messagesOf(bodies[2]))).toContain(JSON.stringify(SIGNED));
    expect(await sh(`grep -rl ${KEY} "$HOME" || echo nowhere`)).toBe('nowhere\n');
  });
});

function messagesOf(body: JsonObject | undefined): readonly unknown[] {
  return Array.isArray(body?.messages) ? body.messages : [];
}
