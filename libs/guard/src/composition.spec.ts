import { join } from 'node:path';
import * as fc from 'fast-check';
import { packageRoot } from '#config';
import { Guard } from './guard.js';
import { dangerousCases, isAsStrict, ordinaryCommands, PLACE } from './testing/parse-cases.js';

const spellings = join(packageRoot(), 'libs/guard/spellings');
const EVERY = 3; // the whole product takes half a minute and finds nothing more

const sampled = <T>(all: readonly T[]): readonly T[] => all.filter((_, index) => index % EVERY === 0);
const dangerous = sampled(dangerousCases(join(spellings, 'dangerous.jsonl')));
const ordinary = sampled(ordinaryCommands(join(spellings, 'ordinary.jsonl')));

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const WRAPPED: Readonly<Record<string, (command: string) => string>> = {
  'a subshell': (command) => `(\n${command}\n)`,
  'a group': (command) => `{\n${command}\n}`,
  'a condition': (command) => `if test -f x; then\n${command}\nfi`,
  'the other branch': (command) => `if test -f x; then :; else\n${command}\nfi`,
  'a case': (command) => `case $x in\n a)\n${command}\n;;\nesac`,
  'a loop': (command) => `for loop in 1; do\n${command}\ndone`,
  'a function': (command) => `wrapper() {\n${command}\n}\nwrapper`,
  'a substitution': (command) => `echo "$(\n${command}\n)"`,
  'the background': (command) => `{\n${command}\n} &\nwait`,
  'a pipe': (command) => `{\n${command}\n} | cat`,
  'a redirection': (command) => `{\n${command}\n} > log 2>&1`,
  'sh -c': (command) => `sh -c ${quoted(command)}`,
  'sh -c twice': (command) => `sh -c ${quoted(`sh -c ${quoted(command)}`)}`,
  eval: (command) => `eval ${quoted(command)}`,
  'a trap': (command) => `trap ${quoted(command)} EXIT`,
  'wrappers around a shell': (command) => `timeout 5 nice -n 3 env WRAPPED=1 bash -c ${quoted(command)}`,
  'a variable': (command) => `script=${quoted(command)}; bash -c "$script"`,
  'a here-document': (command) => `bash <<'END_OF_SCRIPT'\n${command}\nEND_OF_SCRIPT`,
  'a file': (command) => `cat > script.sh <<'END_OF_SCRIPT'\n${command}\nEND_OF_SCRIPT\nsh script.sh`,
  'a pipe into a shell': (command) => `printf '%s\\n' ${quoted(command)} | sh`,
  base64: (command) => `echo ${Buffer.from(command).toString('base64')} | base64 -d | bash`,
};

const JOINTS = ['\n', '; ', ' && ', ' || ', ' | ', ' & ', '\n\\'];

describe('the guard sees a command', () => {
  let guard: Guard;
  beforeAll(async () => {
    guard = await Guard.load();
  });

  it.each(Object.entries(WRAPPED))('in %s', (_name, wrap) => {
    const missed = dangerous.filter(({ command, verdict }) => !isAsStrict(guard.judge(wrap(command), PLACE).verdict, verdict));
    expect(missed.map(({ command }) => wrap(command))).toEqual([]);
  });

  it.each(Object.entries(WRAPPED))('that is ordinary as it is in %s', (_name, wrap) => {
    expect(ordinary.filter((command) => isAsStrict(guard.judge(wrap(command), PLACE).verdict, 'ask'))).toEqual([]);
  });

  it.each(JOINTS)('before and after any other, with %j between', (joint) => {
    const plain = ordinary.filter((command) => joint.startsWith('\n') || !/#|<<|[;&|]\s*$/.test(command));
    const isMissed = (text: string): boolean => guard.judge(text, PLACE).verdict !== 'deny';
    expect(plain.map((command) => `${command}${joint}rm -rf ~`).filter(isMissed)).toEqual([]);
    expect(plain.map((command) => `rm -rf ~${joint}${command}`).filter(isMissed)).toEqual([]);
  });

  it('and marks where it stands', () => {
    for (const command of ordinary.filter((text) => !text.endsWith('&'))) {
      const text = `${command}\nreboot # now`;
      const { span } = guard.judge(text, PLACE);
      expect(text.slice(span?.start, span?.end)).toMatch(/^reboot/);
    }
  });

  it('or says something of any text, without an error', () => {
    const piece = fc.constantFrom(
      ...'(){}[]$`"\'\\|&;<>#!~*?=-\n a/x0'.split(''),
      'rm -rf',
      'if',
      'done',
      '<<E',
      'E\n',
      '$(',
      '${x',
      'case x in',
      'f()',
      '\u00e9',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(['allow', 'warn', 'ask', 'deny']).toContain(guard.judge(pieces.join(''), PLACE).verdict);
      }),
      { numRuns: 1_500 },
    );
  });
});
