import { parseYaml } from '#config';
import { parseRuleFile } from './parse-rule-file.js';

const rule = (more: string): string => `
rules:
  - id: a
    class: power
    verdict: deny
    why: it stops
    when: { program: halt }
    examples: [halt]
${more}
privilege: { class: privilege, verdict: deny, why: as root }
`;
const parse = (text: string): ReturnType<typeof parseRuleFile> => parseRuleFile(parseYaml(text, 'g.yaml'), 'g.yaml');

describe('parseRuleFile', () => {
  it('reads a rule', () => {
    expect(parse(rule('')).file.rules).toMatchObject([
      { id: 'a', class: 'power', verdict: 'deny', conditions: [{ effect: 'run', attributes: { program: ['halt'] } }], examples: ['halt'] },
    ]);
  });

  it.each([
    [rule('    colour: red'), 'g.yaml: rules a: colour: no such key'],
    [rule('').replace('verdict: deny\n', 'verdict: no\n'), 'g.yaml: rules a: verdict: no is none of deny, ask, warn'],
    [rule('').replace('examples: [halt]', 'examples: []'), 'g.yaml: rules a: examples: at least one is needed'],
    [rule('').replace('when: { program: halt }', 'when: []'), 'g.yaml: rules a: when: no condition'],
    [rule('').replace('{ program: halt }', '{ effect: delete, paths: [x] }'), 'g.yaml: rules a: when 1: paths: no such path set: x'],
    [rule('').replace('program: halt', 'programm: halt'), 'g.yaml: rules a: when 1: programm: no such key (known: subcommand, effect'],
    [rule('').replace('program: halt', 'effect: stop'), 'g.yaml: rules a: when 1: effect: stop is none of run, delete'],
    [rule('').replace('program: halt', 'tool: halt'), 'g.yaml: rules a: when 1: tool: no such key'],
    [rule('').replace('    why: it stops\n', ''), 'g.yaml: rules a: why: missing'],
    [rule('').replace('rules:', 'rulez:'), 'g.yaml: rulez: no such key'],
    ['[]', 'g.yaml: expected a mapping'],
    [rule('').replace('[halt]', '[[{}]]'), 'g.yaml: rules a: examples: expected texts'],
  ])('refuses what it does not know', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });

  it('refuses two rules of one id', () => {
    const again = '  - { id: a, class: power, verdict: ask, why: x, when: { program: y }, examples: [y] }';
    expect(() => parse(rule(again))).toThrow('g.yaml: rule a: there is another of this id');
  });
});
