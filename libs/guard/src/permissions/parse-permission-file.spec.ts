import { parsePermissionFile } from './parse-permission-file.js';

const RULE = 'id: x, verdict: deny, why: y, when: { program: a }, examples: [a]';
const text = (rule: string): string => `rules:\n  - { ${rule} }\n`;
const without = (part: string): string => text(RULE.replace(part, ''));

describe('parsePermissionFile', () => {
  it('reads rules, sets and defaults, with the line of each', () => {
    const file = parsePermissionFile(
      'default: ask\nguard:\n  kill-general: deny\npaths: { a: [~/b, /c] }\nrules:\n- id: x\n  verdict: deny\n  why: y\n  when:\n' +
        '  - { tool: [t, u], inside: a }\n  - { effect: write, mode: append, outside: "**/d" }\n  examples:\n  - "t"\n  - { tool: t, args: { path: /c } }\n',
      'p',
    );
    expect(file).toMatchObject({
      otherwise: { verdict: 'ask', origin: 'p:1' },
      changes: [{ id: 'kill-general', verdict: 'deny', origin: 'p:3' }],
    });
    expect([...file.paths]).toEqual([
      ['a', ['{HOME}/b', '/c']],
      ['**/d', ['**/d']],
    ]);
    expect(file.rules).toMatchObject([
      {
        origin: 'p:6',
        toolConditions: [{ tools: ['t', 'u'], inside: ['a'] }],
        conditions: [{ effect: 'write', attributes: { mode: ['append'] }, outside: ['**/d'] }],
        examples: [
          { call: { tool: 'shell', args: { cmd: 't' } }, origin: 'p:13' },
          { call: { tool: 't', args: { path: '/c' } }, text: 't {"path":"/c"}', origin: 'p:14' },
        ],
      },
    ]);
  });

  it.each(['', '# nothing\n', 'rules: []'])('takes %j for no rules at all', (empty) => {
    expect(parsePermissionFile(empty, 'p')).toMatchObject({ otherwise: { verdict: 'allow' }, rules: [], changes: [] });
  });

  it.each([
    ['defualt: ask', 'p:1: defualt: no such key (known: default, guard, paths, rules)'],
    ['rules:\n- id: x\n  verdikt: ask\n', 'p:3: rules x: verdikt: no such key'],
    [text(`${RULE}, colour: red`), 'p:2: rules x: colour: no such key'],
    ['default: maybe', 'p:1: default: maybe is none of allow, ask, deny'],
    ['default: warn', 'p:1: default: warn is none of'],
    ['guard:\n  x: "off"', 'p:2: guard: x: off is none of allow, ask, deny'],
    ['- a', 'p:1: expected a mapping'],
    ['paths:\n  a: [b/c]', 'p:2: paths: a: b/c does not begin with /, ~/, {HOME}, {CWD} or **/'],
    [without('why: y, '), 'p:2: rules x: why: missing'],
    [without('examples: [a]'), 'p:2: rules x: examples: at least one is needed'],
    [without('when: { program: a }, '), 'p:2: rules x: when: no condition'],
    [text(RULE.replace('id: x', 'id: "a b"')), 'p:2: rules a b: id: expected letters'],
    [text(RULE.replace('program: a', 'programm: a')), 'p:2: rules x: when 1: programm: no such key'],
    [text(RULE.replace('program: a', 'program: a, how: x')), 'p:2: rules x: when 1: how: no such key'],
    [text(RULE.replace('program: a', 'effect: write, inside: ')), 'p:2: rules x: when 1: inside: nothing is named'],
    [text(RULE.replace('program: a', 'tool: a, inside: []')), 'p:2: rules x: when 1: inside: nothing is named'],
    [text(RULE.replace('program: a', 'program: ')), 'p:2: rules x: when 1: program: nothing is named'],
    [text(RULE.replace('program: a', 'effect: copy')), 'p:2: rules x: when 1: effect: copy is none of run, delete'],
    [text(RULE.replace('program: a', 'inside: /x')), 'p:2: rules x: when 1: tool: missing; name a tool, a program or an effect'],
    [text(RULE.replace('program: a', 'tool: a, inside: b')), 'p:2: rules x: when 1: inside: no such path set: b'],
    [text(RULE.replace('program: a', 'effect: write, inside: b')), 'p:2: rules x: when 1: inside: no such path set: b'],
    [
      text(RULE.replace('deny', 'allow').replace('program: a', 'effect: write, paths: /b')),
      'p:2: rules x: when 1: paths: what is allowed lies',
    ],
    [text(RULE.replace('[a]', '[{ tol: a }]')), 'p:2: rules x: examples 1: tol: no such key'],
    [text(RULE.replace('[a]', '[7]')), 'p:2: rules x: examples 1: expected a mapping'],
    [`${text(RULE)}  - { ${RULE} }`, 'p:3: rules x: there is another of this id'],
    ['rules: [', 'p:'],
  ])('refuses %j and names file, line and key', (yaml, message) => {
    expect(() => parsePermissionFile(yaml, 'p')).toThrow(message);
  });
});
