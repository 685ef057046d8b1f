// What goes to Kiro, byte for byte. The numbers are sections of backends.md.
import { KiroBackend, type KiroOptions } from '#backends';
import { isJsonObject, userText, type JsonObject, type JsonValue, type ModelRequest } from '#model';
import type { LoopbackAnswer, LoopbackRequest } from '#testkit';
import { assistant, call, image, result, text } from './messages.js';
import { answered, captured, requestTo } from './sent.js';

const NAME = 'kiro';
const MODEL = 'claude-sonnet-4.5';

type Named = Pick<ModelRequest, 'conversation'>;

const breaksOff: LoopbackAnswer = (response) => response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' }).end();

/** What one request puts on the wire; its server breaks off. */
async function sent(
  more: Partial<ModelRequest>,
  options: Partial<KiroOptions> = {},
  named: Named = { conversation: 'c-1' },
): Promise<LoopbackRequest> {
  const [seen] = await captured(breaksOff, async (baseUrl) => {
    const backend = new KiroBackend({ name: NAME, baseUrl, key: 'tok-1', defaultModel: undefined, ...options });
    await expect(answered(backend, requestTo(MODEL, { ...named, ...more }))).rejects.toThrow('stream ended early');
  });
  if (!seen) throw new Error('nothing was sent');
  return seen;
}

async function stateOf(more: Partial<ModelRequest>, named?: Named): Promise<JsonObject> {
  const { body } = await sent(more, {}, named);
  const state = isJsonObject(body) ? body.conversationState : undefined;
  return isJsonObject(state) ? state : {};
}

const replay = (data: JsonValue, model = MODEL) => ({ type: 'replay', provider: NAME, model, data }) as const;

describe('a request to Kiro', () => {
  it('goes to /generateAssistantResponse with a bearer token', async () => {
    const { method, path, headers } = await sent({});
    expect([method, path]).toEqual(['POST', '/generateAssistantResponse']); // 1.8 REST-JSON
    const { host: _host, 'content-length': _length, connection: _connection, ...ours } = headers;
    expect(ours).toEqual({
      authorization: 'Bearer tok-1', // 1.8 Bearer auth
      'content-type': 'application/json',
      accept: 'application/vnd.amazon.eventstream, application/json', // 1.8 framing
      'user-agent': 'ollie', // nothing of another product's identity
    });
  });

  it('is small when nothing is set', async () => {
    expect((await sent({})).body).toEqual({
      conversationState: {
        conversationId: 'c-1', // 1.8 conversationState.conversationId
        chatTriggerType: 'MANUAL', // 1.8
        agentTaskType: 'vibe', // 1.8
        currentMessage: { userInputMessage: { content: 'hi', modelId: MODEL } }, // 1.8 currentMessage
        history: [], // 1.8 history
      },
    });
  });

  it('says what is configured', async () => {
    const { body } = await sent({}, { profileArn: 'arn:aws:x', origin: 'CLI' });
    expect(body).toMatchObject({
      profileArn: 'arn:aws:x', // 1.8 profileArn?
      conversationState: { currentMessage: { userInputMessage: { origin: 'CLI' } } }, // 1.8 origin
    });
  });

  it('of a conversation without a name has one of its own', async () => {
    const ids = [await stateOf({}, {}), await stateOf({}, {})].map((state) => state.conversationId);
    expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('of a whole conversation', async () => {
    const parameters = { type: 'object', properties: { p: { type: 'string' } } };
    const { currentMessage, history } = await stateOf({
      system: 'Be brief.',
      tools: [
        { name: 'read', description: 'Reads a file.', parameters },
        { name: 'ls', description: '', parameters: {} },
      ],
      messages: [
        { role: 'user', content: [text('look'), image('AAAA'), image('CCCC', 'image/tiff')] },
        assistant(
          [
            replay({ type: 'thinking', thinking: 'of another', signature: 'x' }, 'other-model'),
            replay({ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' }),
            text('Let me see.'),
          ],
          call('tooluse_1', 'read', { p: 'a\uD800' }),
          call('call:2', 'ls'),
          call('tooluse_3', 'ls'),
        ),
        result('tooluse_1', 'read', [text('no such file')], true),
        result('call:2', 'ls', [text('a.c'), image('BBBB', 'image/jpeg')]),
        userText('and now?'),
        assistant([replay({ type: 'redacted_thinking', data: 'b3Bh' })], call('tooluse_4', 'ls')),
        result('tooluse_4', 'ls', []),
      ],
    });
    expect(history).toEqual([
      {
        userInputMessage: {
          content: 'Be brief.\n\nlook\n\n[image: image/tiff, not shown]', // 1.8 the prompt goes into the first user message
          modelId: MODEL,
          images: [{ format: 'png', source: { bytes: 'AAAA' } }], // 1.8 images
        },
      },
      {
        assistantResponseMessage: {
          content: 'Let me see.',
          toolUses: [
            { toolUseId: 'tooluse_1', name: 'read', input: { p: 'a\uFFFD' } }, // 1.8 toolUses
            { toolUseId: 'call_2', name: 'ls', input: {} }, // 1.1 ids ^[A-Za-z0-9_-]{1,64}$
            { toolUseId: 'tooluse_3', name: 'ls', input: {} },
          ],
          reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } }, // 1.8 reasoningContent
        },
      },
      {
        userInputMessage: {
          content: 'and now?', // 1.8 history must alternate
          modelId: MODEL,
          images: [{ format: 'jpeg', source: { bytes: 'BBBB' } }],
          userInputMessageContext: {
            toolResults: [
              { toolUseId: 'tooluse_1', content: [{ text: 'no such file' }], status: 'error' }, // 1.8 toolResults
              { toolUseId: 'call_2', content: [{ text: 'a.c\n[image: beside this message]' }], status: 'success' },
              { toolUseId: 'tooluse_3', content: [{ text: '(the call was not run)' }], status: 'error' },
            ],
          },
        },
      },
      {
        assistantResponseMessage: {
          content: '(no text)',
          toolUses: [{ toolUseId: 'tooluse_4', name: 'ls', input: {} }],
          reasoningContent: { redactedContent: 'b3Bh' }, // 1.8 redactedContent
        },
      },
    ]);
    expect(currentMessage).toEqual({
      userInputMessage: {
        content: '(tool results)',
        modelId: MODEL,
        userInputMessageContext: {
          toolResults: [{ toolUseId: 'tooluse_4', content: [{ text: '(no output)' }], status: 'success' }],
          tools: [
            { toolSpecification: { name: 'read', description: 'Reads a file.', inputSchema: { json: parameters } } }, // 1.8 tools
            { toolSpecification: { name: 'ls', description: 'ls', inputSchema: { json: { type: 'object' } } } },
          ],
        },
      },
    });
  });

  it('begins and ends with the user', async () => {
    const said = (content: string) => ({ userInputMessage: { content, modelId: MODEL } });
    const answered = (content: string) => ({ assistantResponseMessage: { content } });
    const { history, currentMessage } = await stateOf({
      system: 'Be brief.',
      messages: [
        assistant([text('one')]),
        assistant([text('two')]),
        assistant([]),
        userText('a'),
        userText(' '),
        userText('b'),
        assistant([text('three')]),
      ],
    });
    // 1.8 history must alternate
    expect(history).toEqual([
      said('Be brief.\n\n(continued)'),
      answered('one'),
      said('(continued)'),
      answered('two'),
      said('a\n\nb'),
      answered('three'),
    ]);
    expect(currentMessage).toEqual(said('(continued)'));
    expect((await stateOf({ messages: [] })).currentMessage).toEqual(said('(continued)'));
    expect((await stateOf({ messages: [userText('')] })).currentMessage).toEqual(said('(empty)'));
  });
});
