import { parseYaml } from '#config';
import { userText, type Message, type ModelRequest, type ToolCall } from '#model';
import { nextMove } from './engine.js';
import { parseScript } from './parse-script.js';
import { planOf } from './plan.js';

const script = (yaml: string): ReturnType<typeof parseScript> => parseScript(parseYaml(yaml, 's'), 's');
const requestOf = (...messages: readonly Message[]): ModelRequest => ({ model: 'm', system: '', messages, tools: [], params: {} });
const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }], toolCalls: [] });
const call = (id: string): ToolCall => ({ id, name: 'shell', arguments: {}, rawArguments: '{}' });
const called = (...ids: readonly string[]): Message => ({ role: 'assistant', content: [], toolCalls: ids.map(call) });
const result = (toolCallId: string, text: string, isError = false): Message => ({
  role: 'tool',
  toolCallId,
  toolName: 'shell',
  content: [{ type: 'text', text }],
  isError,
});

const INPUT = { inputTokens: 0, cachedInputTokens: 0, cacheCreationTokens: 0 };

function reply(yaml: string, messages: readonly Message[], attempt = 0): string {
  const request = requestOf(...messages);
  const move = nextMove(script(yaml), request, attempt);
  if (move.fails) return `fails: ${move.step.fail?.kind}`;
  const { text, calls } = planOf(move, request, INPUT);
  return text + calls.map(({ raw }) => raw).join();
}

describe('the next step', () => {
  it('of a sequence is found from the replies so far', () => {
    const yaml = 'steps: [{ say: one }, { say: two }]';
    expect(reply(yaml, [userText('a')])).toBe('[scripted] one');
    expect(reply(yaml, [userText('a'), said('one'), userText('b')])).toBe('[scripted] two');
    expect(() => reply(yaml, [userText('a'), said('one'), userText('b'), said('two'), userText('c')])).toThrow('s: the script is over');
  });

  it('leaves out steps whose conditions do not hold, then and later', () => {
    const yaml = `steps:
      - calls: [{ tool: shell, args: {} }]
      - { when: { lastTool: { ok: true } }, say: fine, goto: end }
      - { when: { lastTool: { ok: false } }, say: bad }
      - { say: after bad }
      - { label: end, say: the end, goto: end }`;
    const start = [userText('a'), called('c')];
    expect(reply(yaml, [...start, result('c', 'x')])).toBe('[scripted] fine');
    expect(reply(yaml, [...start, result('c', 'x', true)])).toBe('[scripted] bad');
    expect(reply(yaml, [...start, result('c', 'x', true), said('bad'), userText('b')])).toBe('[scripted] after bad');
    expect(reply(yaml, [...start, result('c', 'x'), said('fine'), userText('b')])).toBe('[scripted] the end');
    expect(reply(yaml, [...start, result('c', 'x'), said('fine'), userText('b'), said('the end'), userText('c')])).toBe(
      '[scripted] the end',
    );
  });

  it('looks at the newest prompt, also where the one before got no answer', () => {
    const yaml = "order: any\nsteps: [{ when: { lastUser: '/^say (.*)$/' }, say: '{{user.1}}' }]";
    const texts = ['say a', 'say b'].map((text) => ({ type: 'text' as const, text }));
    expect(reply(yaml, [{ role: 'user', content: texts }])).toBe('[scripted] b');
  });

  it('with order any is the first that fits, each time', () => {
    const yaml = "order: any\nsteps: [{ when: { lastUser: '/^b/' }, say: bee }, { say: other }]";
    expect(reply(yaml, [userText('b'), said('bee'), userText('b')])).toBe('[scripted] bee');
    expect(reply(yaml, [userText('b'), said('bee'), userText('c')])).toBe('[scripted] other');
  });

  it('looks at turn, n, and tools that are offered', () => {
    const yaml = 'order: any\nsteps: [{ when: { turn: 2, n: 2 }, say: yes }, { when: { hasTool: shell }, say: tool }, { say: no }]';
    const messages = [userText('a'), said('x'), userText('b'), called('c'), result('c', 'r')];
    expect(reply(yaml, messages)).toBe('[scripted] yes');
    expect(reply(yaml, messages.slice(0, 3))).toBe('[scripted] no');
    const tools = [{ name: 'shell', description: '', parameters: { type: 'object' } }];
    expect(nextMove(script(yaml), { ...requestOf(userText('a')), tools }, 0).step.place).toBe('s: step 2');
  });

  it('results of an earlier turn are not the last ones', () => {
    const yaml = 'order: any\nsteps: [{ when: { lastTool: { name: shell } }, say: tool }, { say: user }]';
    expect(reply(yaml, [userText('a'), called('c'), result('c', 'r'), userText('b')])).toBe('[scripted] user');
  });

  it('a failure passes after its times; then its own reply or the following step is due', () => {
    const yaml = 'steps: [{ fail: { status: 500, times: 2 } }, { say: a, fail: { cutAfter: 1 } }, { say: b }]';
    const first = [userText('a')];
    expect([0, 1].map((attempt) => reply(yaml, first, attempt))).toEqual(['fails: status', 'fails: status']);
    expect(reply(yaml, first, 2)).toBe('[scripted] a');
    expect(reply('steps: [{ say: a, fail: { cutAfter: 1 } }]', first, 0)).toBe('fails: cut');
    expect(reply('steps: [{ say: a, fail: { cutAfter: 1 } }]', first, 1)).toBe('[scripted] a');
    expect(reply(yaml, [userText('a'), said('a'), userText('b')], 0)).toBe('[scripted] b');
  });

  it('takes texts from the conversation', () => {
    const yaml = `order: any
steps:
  - when: { lastTool: { match: '/(\\d+) failed/' } }
    say: '{{tool.1}} of {{result.1 | line 1}}; {{tool | tail 1}}; {{tool.name}}; {{user}}'
  - when: { lastUser: '/^open (\\S+)/' }
    calls: [{ tool: shell, args: { path: 'x/{{user.1}}', list: [1, '{{user | trim}}'], none: null } }]`;
    expect(reply(yaml, [userText('open f')])).toBe('{"path":"x/f","list":[1,"open f"],"none":null}');
    const results = [userText('go'), called('c', 'd'), result('c', 'first\nsecond'), result('d', '3 failed\nlast\n')];
    expect(reply(yaml, results)).toBe('[scripted] 3 of first; last; shell; go');
  });

  it('says which text is missing', () => {
    expect(() => reply("steps: [{ say: '{{tool}}' }]", [userText('a')])).toThrow('s: step 1: say: {{tool}} has no value here');
  });

  it('gives calls ids that the conversation does not have yet', () => {
    const yaml = 'order: any\nsteps: [{ calls: [{ tool: shell }] }]';
    const request = requestOf(userText('a'), called('call_3_1'), result('call_3_1', ''));
    expect(planOf(nextMove(script(yaml), request, 0), request, INPUT).calls[0]?.id).toBe('call_3_1x');
  });

  it('usage in a step stands instead of the computed counts', () => {
    const request = requestOf(userText('a'));
    const { usage } = planOf(
      nextMove(script('steps: [{ say: a, usage: { in: 5, read: 6, write: 7, out: 8 } }]'), request, 0),
      request,
      INPUT,
    );
    expect(usage).toEqual({ inputTokens: 5, cachedInputTokens: 6, cacheCreationTokens: 7, outputTokens: 8 });
  });
});
