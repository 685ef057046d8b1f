import { join } from 'node:path';
import { userText, type Message, type ModelRequest, type ToolCall } from '#model';
import { nextMove } from './engine.js';
import { ScriptLibrary } from './library.js';
import { planOf, type Plan } from './plan.js';

const library = new ScriptLibrary([join(process.cwd(), 'config', 'scripts')]);
const INPUT = { inputTokens: 0, cachedInputTokens: 0, cacheCreationTokens: 0 };

function planFor(model: string, messages: readonly Message[], tools: readonly string[]): Plan {
  const offered = tools.map((name) => ({ name, description: '', parameters: { type: 'object' } }));
  const request: ModelRequest = { model, system: '', messages, tools: offered, params: {} };
  return planOf(nextMove(library.find(model), request, 0), request, INPUT);
}

type Answer = readonly [text: string, isError: boolean];

/** Plays a script against canned results until it makes no more calls; gives its texts and its calls. */
function playAll(model: string, prompt: string, answers: readonly Answer[]): { texts: readonly string[]; calls: readonly unknown[] } {
  const messages: Message[] = [userText(prompt)];
  const [texts, calls, left] = [[] as string[], [] as unknown[], [...answers]];
  for (;;) {
    const plan = planFor(model, messages, ['shell', 'file_read', 'file_edit', 'client_9p']);
    if (plan.text !== '') texts.push(plan.text);
    if (plan.calls.length === 0) return { texts, calls };
    const toolCalls: readonly ToolCall[] = plan.calls.map(({ id, name, arguments: given, raw }) => ({
      id,
      name,
      arguments: given,
      rawArguments: raw,
    }));
    messages.push({ role: 'assistant', content: [{ type: 'text', text: plan.text }], toolCalls });
    for (const { id, name, arguments: given } of toolCalls) {
      calls.push([name, given]);
      const [text, isError] = left.shift() ?? ['no answer', true];
      messages.push({ role: 'tool', toolCallId: id, toolName: name, content: [{ type: 'text', text }], isError });
    }
  }
}

describe('the default script', () => {
  const said = (prompt: string): readonly string[] => playAll('default', prompt, [['out', false]]).texts;

  it.each([
    ['say hello\nworld', '[scripted] hello\nworld'],
    ['count 3', '[scripted] 1\n2\n3'],
    ['lorem 5', '[scripted] lorem'],
    ['run ls', '[scripted] done:\nout'],
    ['read a.txt', '[scripted] a.txt:\nout'],
  ])('%j', (prompt, text) => {
    expect(said(prompt)).toEqual([text]);
  });

  it('lorem gives exactly that many bytes', () => {
    expect(Buffer.byteLength(said('lorem 100000')[0] ?? '')).toBe(100_000 + '[scripted] '.length);
  });

  it('run and read call the tools with the words of the user', () => {
    expect(playAll('default', 'run echo "a b"\nls', [['', false]]).calls).toEqual([['shell', { cmd: 'echo "a b"\nls' }]]);
    expect(playAll('default', 'read a b.txt', [['', false]]).calls).toEqual([['file_read', { file_path: 'a b.txt' }]]);
  });

  it('9p calls client_9p, with a line of data', () => {
    expect(playAll('default', '9p ls ~session', [['idx\n', false]])).toMatchObject({
      calls: [['client_9p', { op: 'ls', path: '~session' }]],
      texts: ['[scripted] the namespace says:\nidx\n'],
    });
    expect(playAll('default', '9p rdwr ~agent/ctl tool_load shell', [['permission denied', true]])).toMatchObject({
      calls: [['client_9p', { op: 'rdwr', path: '~agent/ctl', data: 'tool_load shell\n' }]],
      texts: ['[scripted] the namespace refuses:\npermission denied'],
    });
  });

  it('tells of failures', () => {
    expect(playAll('default', 'run false', [['execution failed: exit 1', true]]).texts).toEqual([
      '[scripted] failed:\nexecution failed: exit 1',
    ]);
    expect(playAll('default', 'read x', [['no such file', true]]).texts).toEqual(['[scripted] cannot be read:\nno such file']);
  });

  it('tells that a tool is not loaded instead of calling it', () => {
    expect(planFor('default', [userText('run ls')], []).text).toBe('[scripted] The tool shell is not loaded.');
    expect(planFor('default', [userText('read x')], ['shell']).text).toBe('[scripted] The tool file_read is not loaded.');
  });

  it('answers anything else with what it understands', () => {
    expect(planFor('default', [userText('fix the bug')], []).text).toMatch(/^\[scripted\] I am a script.*run COMMAND/s);
  });
});

describe('the demo script', () => {
  const READ: readonly Answer[] = ['readme', 'return a - b;', 'test'].map((text) => [text, false]);
  const RED: Answer = ['execution failed: exit 1\n# pass 0\n# fail 1\n', true];
  const GREEN: Answer = ['# pass 1\n# fail 0\n', false];
  const EDITED: Answer = ['edited', false];
  const demo = (...answers: readonly Answer[]): ReturnType<typeof playAll> => playAll('demo', 'fix it', [...READ, ...answers]);

  it('goes from red to green by changing one line', () => {
    const { calls, texts } = demo(RED, EDITED, GREEN);
    expect(calls).toEqual([
      ['file_read', { file_path: 'README.md' }],
      ['file_read', { file_path: 'sum.mjs' }],
      ['file_read', { file_path: 'sum.test.mjs' }],
      ['shell', { cmd: 'node --test' }],
      ['file_edit', { file_path: 'sum.mjs', old_string: 'return a - b;', new_string: 'return a + b;' }],
      ['shell', { cmd: 'node --test' }],
    ]);
    expect(texts.at(-1)).toBe('[scripted] The test is green. It was one line in sum.mjs.');
    expect(texts.every((text) => text.startsWith('[scripted] '))).toBe(true);
  });

  it.each<[string, readonly Answer[], RegExp, number]>([
    ['a test that is green already is left alone', [GREEN], /green already/, 4],
    ['a test that cannot run is no reason to edit', [['sh: node: not found', true]], /could not run.*not found/s, 4],
    ['a refused edit is told', [RED, ['no match', true]], /refused.*no match/s, 5],
    ['a test that still fails is not called green', [RED, EDITED, RED], /still fails.*fail 1/s, 6],
  ])('%s', (_name, answers, text, count) => {
    const { calls, texts } = demo(...answers);
    expect([calls.length, texts.at(-1)]).toEqual([count, expect.stringMatching(text)]);
  });
});
