import { Guard } from '../guard.js';
import { parsePermissionFile } from './parse-permission-file.js';
import { PermissionSet } from './permission-set.js';
import { tryExamples } from './try-examples.js';

describe('the examples of a rule', () => {
  let guard: Guard;
  beforeAll(async () => {
    guard = await Guard.load();
  });

  const attempt = (verdict: string, examples: string, counters = '[]'): void => {
    const rule = `- { id: x, verdict: ${verdict}, why: y, when: [{ program: a }, { tool: t, inside: '{HOME}/b' }]`;
    tryExamples(
      new PermissionSet(parsePermissionFile(`rules:\n${rule},\n examples: ${examples},\n counter-examples: ${counters} }`, 'p')),
      guard.reader,
      '/h',
    );
  };

  it.each(['deny', 'ask', 'allow'])('must meet it, and counter-examples must not: %s', (verdict) => {
    expect(() => attempt(verdict, '[a, { tool: t, args: { path: ../b } }]', '[b, { tool: t, args: { path: b } }]')).not.toThrow();
    expect(() => attempt(verdict, '[a, b]')).toThrow('p:3: rules x: examples: the rule does not meet "b"');
    expect(() => attempt(verdict, '[a]', '[a]')).toThrow('p:4: rules x: counter-examples: the rule meets "a"');
    expect(() => attempt(verdict, '[{ tool: t, args: { path: c } }]')).toThrow('examples: the rule does not meet "t {\\"path\\":\\"c\\"}"');
  });

  it('of one that allows are allowed in all their parts', () => {
    expect(() => attempt('allow', '[a; b]')).toThrow('does not meet "a; b"');
    expect(() => attempt('deny', '[a; b]')).not.toThrow();
  });
});
