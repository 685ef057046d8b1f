// What goes to Gemini, byte for byte. The numbers are sections of backends.md.
import { GeminiBackend } from '#backends';
import { userText, type JsonValue, type ModelRequest } from '#model';
import type { LoopbackRequest } from '#testkit';
import { callSeal, partSeal } from '../../libs/backends/src/scripted/face/gemini/signed.js';
import { assistant, call, image, result, text } from './messages.js';
import { requestTo, sentBy } from './sent.js';

const ANSWER = 'data: {"candidates":[{"finishReason":"STOP"}]}\n\n';

const backendAt = (baseUrl: string) => new GeminiBackend({ name: 'gemini', baseUrl, key: 'k-1', defaultModel: undefined });

async function sent(more: Partial<ModelRequest>): Promise<LoopbackRequest> {
  return await sentBy(backendAt, requestTo('gemini-3.1-pro', more), ANSWER);
}

async function bodyOf(more: Partial<ModelRequest>): Promise<JsonValue> {
  return (await sent(more)).body;
}

const replay = (model: string, data: JsonValue) => ({ type: 'replay', provider: 'gemini', model, data }) as const;

/** A question with an image, two calls at once, one of which fails and one of which brings an image. */
function conversation(model: string): Partial<ModelRequest> {
  const signed = replay(model, { text: 'Let me see.', thoughtSignature: partSeal(model) });
  const signedCall = replay(model, { callId: 'f-1', thoughtSignature: callSeal(model, 'read') });
  return {
    model,
    system: 'Be brief.',
    tools: [
      { name: 'read', description: 'Reads a file.', parameters: PARAMETERS },
      { name: 'ls', description: 'Lists.', parameters: {} },
    ],
    messages: [
      { role: 'user', content: [text('look'), image('AAAA')] },
      assistant([text('Let me see.'), signed, signedCall], call('f-1', 'read', { p: 'a' }), call('f-2', 'ls')),
      result('f-1', 'read', [text('no such file')], true),
      result('f-2', 'ls', [text('a.c'), image('BBBB')]),
      userText('and now?'),
      assistant([text('Nothing.')]),
      userText('thanks'),
    ],
  };
}

const PARAMETERS = { type: 'object', properties: { p: { type: 'string' } } };
const TOOLS = {
  tools: [
    {
      functionDeclarations: [
        { name: 'read', description: 'Reads a file.', parametersJsonSchema: PARAMETERS }, // 1.5 parametersJsonSchema
        { name: 'ls', description: 'Lists.', parametersJsonSchema: { type: 'object' } },
      ],
    },
  ],
  toolConfig: { functionCallingConfig: { mode: 'AUTO' } }, // 1.5 toolConfig.functionCallingConfig.mode
};

describe('a request to Gemini', () => {
  it('goes to the stream of its model as server-sent events, with the key in a header', async () => {
    const { path, headers } = await sent({});
    expect(path).toBe('/v1beta/models/gemini-3.1-pro:streamGenerateContent?alt=sse'); // 1.5 POST
    const { host: _host, 'content-length': _length, connection: _connection, ...ours } = headers;
    expect(ours).toEqual({
      'x-goog-api-key': 'k-1', // 1.5 x-goog-api-key
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'ollie',
    });
  });

  it('is small when nothing is set', async () => {
    expect(await bodyOf({})).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }], // 1.5 contents
      generationConfig: { thinkingConfig: { includeThoughts: true } }, // 1.5 thinkingConfig.includeThoughts
    });
    expect(await bodyOf({ model: 'gemini-2.0-flash' })).toEqual({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] });
  });

  it('of a whole conversation', async () => {
    const params = { maxTokens: 900, temperature: 0.5, topP: 0.9, topK: 5, stop: ['END'], reasoningEffort: 'high' };
    expect(await bodyOf({ ...conversation('gemini-3.1-pro'), params })).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] }, // 1.5 systemInstruction
      contents: [
        {
          role: 'user',
          parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }], // 1.5 inlineData
        },
        {
          role: 'model', // 1.5 role user|model
          parts: [
            { text: 'Let me see.', thoughtSignature: partSeal('gemini-3.1-pro') }, // 1.5 the signature on its own part
            { functionCall: { id: 'f-1', name: 'read', args: { p: 'a' } }, thoughtSignature: callSeal('gemini-3.1-pro', 'read') }, // 1.5 missing on a functionCall = 400
            { functionCall: { id: 'f-2', name: 'ls', args: {} } }, // 1.5 of parallel calls only its own part is signed
          ],
        },
        {
          role: 'user', // 1.5 results of one turn in one user content
          parts: [
            { functionResponse: { id: 'f-1', name: 'read', response: { error: 'no such file' } } }, // 1.5 response.error, id echoed
            {
              functionResponse: {
                id: 'f-2',
                name: 'ls',
                response: { output: 'a.c' }, // 1.5 response.output
                parts: [{ inlineData: { mimeType: 'image/png', data: 'BBBB' } }], // 1.5 images in functionResponse.parts
              },
            },
          ],
        },
        { role: 'user', parts: [{ text: 'and now?' }] },
        { role: 'model', parts: [{ text: 'Nothing.' }] },
        { role: 'user', parts: [{ text: 'thanks' }] },
      ],
      ...TOOLS, // 1.5 tools[{functionDeclarations}]
      generationConfig: {
        maxOutputTokens: 900, // 1.5 maxOutputTokens
        temperature: 0.5,
        topP: 0.9,
        topK: 5,
        stopSequences: ['END'], // 1.5 stopSequences
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'HIGH' }, // 1.5 thinkingLevel of 3.x and 4
      },
    });
  });

  it('of a conversation with the generation before', async () => {
    expect(await bodyOf({ ...conversation('gemini-2.5-flash'), params: { thinkingBudget: 2_048 } })).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'user', parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
        {
          role: 'model',
          parts: [
            { text: 'Let me see.', thoughtSignature: partSeal('gemini-2.5-flash') },
            { functionCall: { name: 'read', args: { p: 'a' } }, thoughtSignature: callSeal('gemini-2.5-flash', 'read') }, // 1.5 ids are for Gemini 3 and later
            { functionCall: { name: 'ls', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [
            { functionResponse: { name: 'read', response: { error: 'no such file' } } },
            { functionResponse: { name: 'ls', response: { output: 'a.c' } } },
          ],
        },
        {
          role: 'user', // 1.5 only Gemini 3 and later accept images in functionResponse.parts
          parts: [{ text: 'Images of the result of ls:' }, { inlineData: { mimeType: 'image/png', data: 'BBBB' } }, { text: 'and now?' }],
        },
        { role: 'model', parts: [{ text: 'Nothing.' }] },
        { role: 'user', parts: [{ text: 'thanks' }] },
      ],
      ...TOOLS,
      generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2_048 } }, // 1.5 thinkingBudget of 2.5
    });
  });

  it('of a conversation that another model began', async () => {
    const body = await bodyOf({ ...conversation('gemini-2.5-flash'), model: 'gemini-4-neon' });
    expect(body).toMatchObject({
      contents: [
        {},
        {
          parts: [
            { text: 'Let me see.' }, // 0.5 signatures are replayed to the same provider and model only
            { functionCall: { id: 'f-1', name: 'read', args: { p: 'a' } }, thoughtSignature: 'skip_thought_signature_validator' }, // 1.5 none = 400
            { functionCall: { id: 'f-2', name: 'ls', args: {} } },
          ],
        },
        {},
        {},
        {},
        {},
      ],
    });
  });
});
