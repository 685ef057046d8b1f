import { OpenAI } from 'openai';
import { parseYaml } from '#config';
import { userText, type Message } from '#model';
import { askWithShell, describeBackend, okResults, questionForCalls, smallImage } from '#testkit';
import { OpenAIBackend } from '../../../openai/openai.backend.js';
import { parseScript } from '../../parse-script.js';
import { scriptsByName } from '../../library.js';
import { startScriptedServer, type ScriptedServer, type ScriptedServerOptions } from '../scripted-server.js';

const KEY = 'sk-planted-0123456789';

function backendAt(url: string | undefined): OpenAIBackend {
  const patience = { idleMs: 1_200, progressMs: 10_000 };
  return new OpenAIBackend({ name: 'openai', baseUrl: url ?? '', key: KEY, defaultModel: undefined, dialect: 'responses', patience });
}

describeBackend('openai responses over HTTP, byte by byte', async (script) => {
  const scripts = scriptsByName({ conformance: parseScript(script, 'conformance') });
  const server = await startScriptedServer({ scripts, key: KEY, chunk: 'bytes' });
  return { backend: backendAt(server.urls.responses), active: () => server.active, close: async () => await server.close() };
});

const SCRIPT = `order: any
contextLength: 2000
steps:
  - { when: { lastTool: { name: shell } }, think: good, say: 'it was {{tool}}' }
  - { when: { lastUser: call }, think: hm, say: I look, calls: [{ tool: shell, args: { cmd: ls } }, { tool: shell, args: {} }] }
  - { when: { lastUser: busy }, say: half of it, fail: { status: 500, after: 6, message: overloaded } }
  - { when: { lastUser: refuse }, fail: { status: 429, headers: { retry-after: 3 } } }
  - { when: { lastUser: long }, say: cut, stop: length }
  - { say: hello }`;

type Item = OpenAI.Responses.ResponseInputItem;
const IMAGE = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' } as const;
const SHELL = { type: 'function', name: 'shell', description: 'runs', parameters: { type: 'object' }, strict: false } as const;

describe('the face of OpenAI responses', () => {
  let server: ScriptedServer;
  const start = async (more: Partial<ScriptedServerOptions> = {}): Promise<OpenAI> => {
    server = await startScriptedServer({ scripts: scriptsByName({ s: parseScript(parseYaml(SCRIPT, 's'), 's') }), ...more });
    return new OpenAI({ baseURL: server.urls.responses ?? '', apiKey: KEY, maxRetries: 0 });
  };
  afterEach(async () => await server.close());

  const refusal = async (more: object): Promise<unknown> => {
    const body = JSON.stringify({ model: 's', input: 'hi', ...more });
    const response = await fetch(`${server.urls.responses ?? ''}/responses`, { method: 'POST', body });
    return { status: response.status, body: await response.json() };
  };

  it.each([true, false])(
    'holds a conversation with tools, images and reasoning with the official SDK (streamed: %s)',
    async (isStreamed) => {
      const client = await start({ key: KEY, seed: 7 });
      const ask = async (input: Item[]): Promise<OpenAI.Responses.Response> => {
        const include: OpenAI.Responses.ResponseIncludable[] = ['reasoning.encrypted_content'];
        const body = {
          model: 's',
          instructions: 'be good',
          input,
          tools: [SHELL],
          store: false,
          include,
          reasoning: { effort: 'high' as const },
        };
        return isStreamed ? await client.responses.stream(body).finalResponse() : await client.responses.create(body);
      };
      const input: Item[] = [{ role: 'user', content: [IMAGE, { type: 'input_text', text: 'call' }] }];
      const first = await ask(input);
      expect(first).toMatchObject({ status: 'completed', output_text: '[scripted] I look' });
      expect(first.output).toMatchObject([
        { type: 'reasoning', summary: [{ text: 'hm' }], encrypted_content: expect.any(String) },
        { type: 'message', content: [{ type: 'output_text', text: '[scripted] I look' }] },
        { type: 'function_call', name: 'shell', arguments: '{"cmd":"ls"}', call_id: expect.any(String) },
        { type: 'function_call', name: 'shell', arguments: '{}' },
      ]);
      const outputs = first.output.flatMap((item): Item[] =>
        item.type === 'function_call'
          ? [{ type: 'function_call_output', call_id: item.call_id, output: [{ type: 'input_text', text: 'a b' }] }]
          : [],
      );
      input.push(...(first.output as Item[]), ...outputs); // what a response holds may be sent back as it is
      const second = await ask(input);
      expect(second).toMatchObject({
        output_text: '[scripted] it was a b',
        usage: { input_tokens_details: { cached_tokens: expect.any(Number) } },
      });
      expect(second.usage?.output_tokens_details.reasoning_tokens).toBe(1);
      input.push(...(second.output as Item[]), { role: 'user', content: 'thanks' }); // as before
      expect((await ask(input)).output_text).toBe('[scripted] hello');
    },
  );

  it('says that an answer was cut, lists models, and fails in its own form', async () => {
    const client = await start();
    const ask = async (input: string): Promise<OpenAI.Responses.ResponseStreamEvent[]> => {
      const events: OpenAI.Responses.ResponseStreamEvent[] = [];
      for await (const event of await client.responses.create({ model: 's', input, stream: true })) events.push(event);
      return events;
    };
    expect((await ask('long')).at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { incomplete_details: { reason: 'max_output_tokens' } },
    });
    expect((await ask('busy')).at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { message: 'overloaded' } },
    });
    await expect(ask('refuse')).rejects.toMatchObject({ status: 429, headers: expect.anything() });
    await expect(ask('x'.repeat(9000))).rejects.toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect((await client.models.list()).data).toMatchObject([{ id: 's' }]);
  });

  const call = { type: 'function_call', call_id: 'a', name: 'shell', arguments: '{}' };
  const output = { type: 'function_call_output', call_id: 'a', output: 'x' };
  const hi = { role: 'user', content: 'hi' };
  const thought = { type: 'reasoning', id: `rs_r${'0'.repeat(24)}`, summary: [] };

  it.each<[string, object]>([
    ["Unknown parameter: 'foo'.", { foo: 1 }],
    ["this parameter has moved to 'input'", { messages: [] }],
    ["this parameter has moved to 'reasoning.effort'", { reasoning_effort: 'low' }],
    ["Missing required parameter: 'input'.", { input: undefined }],
    ["Invalid 'input': empty array", { input: [] }],
    ["Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 5 instead.", { max_output_tokens: 5 }],
    ["Invalid value: 'foo'. Supported values are: 'message'", { input: [{ type: 'foo' }] }],
    ["Invalid value: 'robot'. Supported values are: 'assistant'", { input: [{ role: 'robot', content: 'x' }] }],
    ["Invalid value: 'text'. Supported values are: 'input_text'", { input: [{ role: 'user', content: [{ type: 'text', text: 'x' }] }] }],
    [
      "Invalid value: 'input_text'. Supported values are: 'output_text'",
      { input: [hi, { role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }, hi] },
    ],
    ['No tool output found for function call a.', { input: [hi, call] }],
    ['No tool output found for function call a.', { input: [hi, call, hi, output] }],
    ['No tool call found for function call output with call_id a.', { input: [hi, output] }],
    ['No tool call found for function call output with call_id a.', { input: [hi, output, call] }],
    ['Duplicate function call id a', { input: [hi, call, call, output] }],
    ["Missing required parameter: 'input[1].call_id'.", { input: [hi, { ...call, call_id: undefined }] }],
    ["Invalid type for 'input[1].arguments': expected a string, but got an object instead.", { input: [hi, { ...call, arguments: {} }] }],
    ["Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'.", { input: [hi, { ...call, id: 'call_1' }, output] }],
    ["Invalid 'input[1].call_id': string too long.", { input: [hi, { ...call, call_id: 'x'.repeat(65) }, output] }],
    [
      `of type 'function_call' was provided without its required 'reasoning' item: 'rs_r${'0'.repeat(24)}'`,
      { input: [hi, { ...call, id: `fc_r${'0'.repeat(24)}_0` }, output] },
    ],
    [`of type 'reasoning' was provided without its required following item.`, { input: [hi, thought] }],
    ['not found. Items are not persisted', { store: false, input: [hi, thought, call, output] }],
    ['could not be verified', { input: [hi, { ...thought, encrypted_content: 'gAAAAx' }, call, output] }],
    ["Missing required parameter: 'tools[0].name'.", { tools: [{ type: 'function', function: { name: 'a' } }] }],
    ["'temperature' is not supported with this model.", { temperature: 0.2, reasoning: { effort: 'low' } }],
    ["Previous response with id 'resp_1' not found.", { previous_response_id: 'resp_1' }],
    ["'input[0].content' holds a lone surrogate", { input: [{ role: 'user', content: '\uD83D' }] }],
  ])('refuses: %s', async (why, more) => {
    await start();
    const found = { message: expect.stringContaining(why), type: 'invalid_request_error', param: expect.any(String) };
    expect(await refusal(more)).toMatchObject({ status: 400, body: { error: found } });
  });

  it('takes what our own backend sends of a conversation that it has had', async () => {
    await start();
    const backend = backendAt(server.urls.responses);
    const { calls, replayed } = await askWithShell(backend, 's', [questionForCalls]);
    expect(calls).toHaveLength(2);
    const said: Message = { role: 'assistant', content: [...replayed, { type: 'text', text: '[scripted] I look' }], toolCalls: calls };
    const answered: readonly Message[] = [questionForCalls, said, ...okResults(calls, smallImage)];
    const second = await askWithShell(backend, 's', answered);
    expect(second.text).toBe('[scripted] it was ok');
    const content = [...second.replayed, { type: 'text', text: '[scripted] it was ok' } as const];
    const { events } = await askWithShell(backend, 's', [...answered, { role: 'assistant', content, toolCalls: [] }, userText('thanks')]);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop: 'stop' });
  });
});
