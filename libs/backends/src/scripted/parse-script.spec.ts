import { ConfigError, parseYaml } from '#config';
import { parseScript } from './parse-script.js';

const parse = (yaml: string): ReturnType<typeof parseScript> => parseScript(parseYaml(yaml, 's.yaml'), 's.yaml');

describe('what is wrong in a script is named with its place:', () => {
  it.each([
    ['', 's.yaml: expected a mapping'],
    ['steps: 3', 's.yaml: steps: expected a list'],
    ['stpes: []', 's.yaml: unknown key stpes; known are order, contextLength, steps'],
    ['order: some\nsteps: []', 's.yaml: order: expected one of sequence, any'],
    ['steps: [{}]', 's.yaml: step 1: expected say, think, calls or fail'],
    ['steps: [hello]', 's.yaml: step 1: expected a mapping'],
    ['steps: [{ say: 3 }]', 's.yaml: step 1: say: expected text'],
    ['steps: [{ say: a }, { say: b, when: { lastTool: { ok: maybe } } }]', 's.yaml: step 2: when: lastTool: ok: expected true or false'],
    ['steps: [{ say: a, when: { turn: 0 } }]', 's.yaml: step 1: when: turn: expected a whole number from 1'],
    ["steps: [{ say: a, when: { lastUser: '/(/' } }]", 's.yaml: step 1: when: lastUser: Invalid regular expression'],
    ["steps: [{ say: a, when: { lastUser: '/a/g' } }]", 's.yaml: step 1: when: lastUser: a pattern is used for one match'],
    ["steps: [{ say: '{{usr}}' }]", 's.yaml: step 1: say: unknown name {{usr}}; known are user'],
    ["steps: [{ say: '{{user | upper}}' }]", 's.yaml: step 1: say: unknown filter upper; known are trim'],
    ["steps: [{ say: '{{user | line}}' }]", 's.yaml: step 1: say: line, head and tail need a number from 1'],
    ["steps: [{ calls: [{ tool: a, args: { x: ['{{nope}}'] } }] }]", 's.yaml: step 1: calls 1: args: x 1: unknown name {{nope}}'],
    ['steps: [{ calls: [{ args: {} }] }]', 's.yaml: step 1: calls 1: tool: expected text'],
    ['steps: [{ calls: [{ tool: a, args: [1] }] }]', 's.yaml: step 1: calls 1: args: expected a mapping'],
    [
      'steps: [{ fail: { times: 2 } }]',
      's.yaml: step 1: fail: expected status, cutAfter, resetAfter, stallAfter, garbageAfter, slow or emptyReply',
    ],
    ['steps: [{ fail: { status: 200 } }]', 's.yaml: step 1: fail: status: expected a whole number from 400'],
    ['steps: [{ say: a, goto: b }]', 's.yaml: step 1: goto b: no such label'],
    ['steps: [{ say: a, label: b }, { say: c, label: b }]', 's.yaml: step 2: label b is there twice'],
    ['order: any\nsteps: [{ say: a, label: b, goto: b }]', 's.yaml: step 1: goto has no meaning with order: any'],
    ['steps: [{ say: a, stream: { chunk: 0 } }]', 's.yaml: step 1: stream: chunk: expected a whole number from 1'],
  ])('%s', (yaml, message) => {
    expect(() => parse(yaml)).toThrow(ConfigError);
    expect(() => parse(yaml)).toThrow(message);
  });

  it('a script that is right is taken', () => {
    const script = parse(
      'contextLength: 10\nsteps: [{ say: a, label: x }, { fail: { status: 429, headers: { retry-after: 3 } }, goto: x }]',
    );
    expect(script).toMatchObject({
      order: 'sequence',
      contextLength: 10,
      steps: [{ label: 'x' }, { goto: 'x', fail: { headers: { 'retry-after': '3' } } }],
    });
  });
});
