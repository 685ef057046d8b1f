import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import type { JsonObject } from '#model';
import { TempTree } from '../support/temp-tree.js';
import { ModelServer } from './model-server.js';
import { until } from './ollie.js';
import { ollieServedBy } from './ollie-served-by.js';

jest.setTimeout(60_000);

const AGENT = 'session/s/agent/a';
const SIGNED = { text: 'Hm.', signature: 'c2lnbmVk' };
const codec = new EventStreamCodec(String, (text) => Buffer.from(text, 'utf8'));

function event(name: string, payload: JsonObject): Uint8Array {
  const headers = { ':message-type': { type: 'string', value: 'event' }, ':event-type': { type: 'string', value: name } } as const;
  return codec.encode({ headers, body: Buffer.from(JSON.stringify(payload), 'utf8') });
}

const calls = (more: JsonObject): Uint8Array => event('toolUseEvent', { toolUseId: 'tooluse_1', name: 'shell', ...more });
const counts = event('metadataEvent', { tokenUsage: { uncachedInputTokens: 10, cacheReadInputTokens: 90, outputTokens: 5 } });

/** One answer after the other. */
const ANSWERS: readonly (readonly Uint8Array[])[] = [
  [
    event('reasoningContentEvent', SIGNED),
    calls({}),
    calls({ input: '{"cmd":"echo ' }),
    calls({ input: 'forty-two"}' }),
    calls({ stop: true }),
    counts,
  ],
  [event('assistantResponseEvent', { content: 'It said forty-two.' }), counts],
];

describe('an agent whose model is behind Kiro', () => {
  const login = new TempTree({ 'login.json': '{"accessToken":"kiro-planted-old"}' });
  /** The first token has ended, and Kiro has renewed it meanwhile. */
  const server = new ModelServer((request, response, ask) => {
    if (request.headers.authorization !== 'Bearer kiro-planted-new') {
      writeFileSync(join(login.root, 'login.json'), '{"accessToken":"kiro-planted-new"}');
      return response.writeHead(403).end('{"message":"The bearer token included in the request is invalid."}');
    }
    if (request.url === '/') return response.end('{"models":[{"modelId":"auto","tokenLimits":{"maxInputTokens":200000}}]}');
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    return response.end(Buffer.concat(ANSWERS[ask()] ?? ANSWERS[1] ?? []));
  });
  const { bodies } = server;
  const { sh } = ollieServedBy(server, (url) => ({
    OLLIE_MODEL: 'auto',
    OLLIE_KIRO_TOKEN_FILE: login.path('login.json'),
    OLLIE_KIRO_URL: url,
  }));
  afterAll(() => login.remove());

  it('is found among the backends, and so are its models', async () => {
    expect(await sh('ollie-9p read backends')).toBe('kiro\nscripted\n');
    expect(await sh('ollie-9p read models')).toMatch(/^kiro\tauto\nscripted\t/);
  });

  it('runs its calls, and gets back what it signed with the results behind it', async () => {
    await sh('echo name=s | ollie-9p write session/new; echo name=a backend=kiro | ollie-9p write session/s/agent/new');
    await sh(`echo look | ollie-9p write ${AGENT}/prompt`);
    await until('the turn is over', async () => (await sh(`ollie-9p read ${AGENT}/log`)).includes('It said forty-two.'));
    expect(bodies[1]?.conversationState).toMatchObject({
      history: [
        { userInputMessage: { content: expect.stringMatching(/look\n?$/), modelId: 'auto' } },
        {
          assistantResponseMessage: {
            toolUses: [{ toolUseId: 'tooluse_1', name: 'shell', input: { cmd: 'echo forty-two' } }],
            reasoningContent: { reasoningText: SIGNED },
          },
        },
      ],
      currentMessage: { userInputMessage: { userInputMessageContext: { toolResults: [{ toolUseId: 'tooluse_1', status: 'success' }] } } },
    });
    expect(await sh(`ollie-9p read ${AGENT}/stats`)).toMatch(/^totalCachedInputTokens=180$/m);
  });

  it('nothing that is kept holds its token', async () => {
    expect(await sh('grep -rl kiro-planted "$HOME" || echo nowhere')).toBe('nowhere\n');
  });
});
