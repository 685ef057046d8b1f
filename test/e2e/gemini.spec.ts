import type { JsonObject } from '#model';
import { ModelServer } from './model-server.js';
import { until } from './ollie.js';
import { ollieServedBy } from './ollie-served-by.js';

jest.setTimeout(60_000);

const AGENT = 'session/s/agent/a';
const KEY = 'gemini-planted';
const SIGNED_TEXT = { text: 'I look first.', thoughtSignature: 'dGV4dA==' };
const SIGNATURE = 'c2lnbmVk';

const chunk = (parts: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
});

/** One answer after the other, as Gemini streams them. */
const ANSWERS: readonly (readonly JsonObject[])[] = [
  [
    chunk([{ text: 'Hm.', thought: true }]),
    chunk([SIGNED_TEXT]),
    chunk([{ functionCall: { id: 'f-1', name: 'shell', args: { cmd: 'echo forty-two' } }, thoughtSignature: SIGNATURE }]),
    {
      ...chunk([{ text: '' }], { finishReason: 'STOP' }),
      usageMetadata: { promptTokenCount: 100, cachedContentTokenCount: 90, candidatesTokenCount: 20 },
    },
  ],
  [chunk([{ text: 'It said forty-two.' }], { finishReason: 'STOP' })],
];

describe('an agent whose model is Gemini', () => {
  const server = new ModelServer((request, response, ask) => {
    if (request.method === 'GET') return response.end('{"models":[{"name":"models/gemini-3.1-pro","inputTokenLimit":1000000}]}');
    const answer = ANSWERS[ask()] ?? ANSWERS[1] ?? [];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return response.end(answer.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`).join(''));
  });
  const { bodies } = server;
  const { sh, restart } = ollieServedBy(server, (url) => ({ OLLIE_MODEL: 'gemini-3.1-pro', OLLIE_GEMINI_KEY: KEY, OLLIE_GEMINI_URL: url }));

  it('is found among the backends, and so are its models', async () => {
    expect(await sh('ollie-9p read backends')).toBe('gemini\nscripted\n');
    expect(await sh('ollie-9p read models')).toMatch(/^gemini\tgemini-3.1-pro\nscripted\t/);
  });

  it('runs its calls, and gets back what it signed, unchanged, with the result behind it', async () => {
    await sh('echo name=s | ollie-9p write session/new; echo name=a backend=gemini | ollie-9p write session/s/agent/new');
    await sh(`echo look | ollie-9p write ${AGENT}/prompt`);
    await until('the turn is over', async () => (await sh(`ollie-9p read ${AGENT}/log`)).includes('It said forty-two.'));
    expect(bodies).toHaveLength(2);
    expect(contentsOf(bodies[1]).slice(-2)).toMatchObject([
      {
        role: 'model',
        parts: [SIGNED_TEXT, { functionCall: { id: 'f-1', name: 'shell', args: { cmd: 'echo forty-two' } }, thoughtSignature: SIGNATURE }],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'f-1', name: 'shell' } }] },
    ]);
    expect(JSON.stringify(contentsOf(bodies[1]).slice(-1))).toContain('forty-two\\n');
    expect(await sh(`ollie-9p read ${AGENT}/stats`)).toMatch(/^totalCachedInputTokens=90$/m);
  });

  it('gets it back after a restart too, and nothing that is kept holds the key', async () => {
    await restart();
    await sh(`echo again | ollie-9p write ${AGENT}/prompt`);
    await until('the turn is over', async () => bodies.length === 3);
    for (const part of [SIGNED_TEXT, { thoughtSignature: SIGNATURE }])
      expect(JSON.stringify(contentsOf(bodies[2]))).toContain(JSON.stringify(part).slice(1, -1));
    expect(await sh(`grep -rl ${KEY} "$HOME" || echo nowhere`)).toBe('nowhere\n');
  });
});

function contentsOf(body: JsonObject | undefined): readonly unknown[] {
  return Array.isArray(body?.contents) ? body.contents : [];
}
