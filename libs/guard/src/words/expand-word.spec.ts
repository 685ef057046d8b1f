import { execFileSync } from 'node:child_process';
import { tokenize } from '../syntax/tokens.js';
import type { Environment } from './environment.js';
import { expandWord } from './expand-word.js';

const variables: Readonly<Record<string, string>> = {
  a: 'one two',
  b: '/x/y.tar.gz',
  e: '',
  n: '3',
  s: 'a;b',
  HOME: '/home/dev',
  USER: 'dev',
  PWD: '/',
  IFS: ' \t\n',
  1: 'p q',
  2: 'r',
};
const lists: Readonly<Record<string, readonly string[]>> = { '@': ['p q', 'r'], l: ['u v', 'w'] };

const environment: Environment = {
  home: '/home/dev',
  separators: ' \t\n',
  directory: () => '/',
  parameter: (name) => variables[name],
  list: (name) => lists[name],
  assign: () => undefined,
  substitute: (script) => (script === 'echo x y' ? 'x y' : '?'),
  connect: () => '/dev/fd/63',
  mayBeUnset: () => false,
  require: () => undefined,
  unproven: (value) => value,
  something: () => '\ue100',
};

/** What bash itself makes of the words; nothing but printf runs. */
function bash(words: string): readonly string[] {
  const script = `set -f; set -- 'p q' r; l=('u v' w); printf '%s\\0' ${words}`;
  return execFileSync('bash', ['--norc', '-c', script], {
    env: { LC_ALL: 'C.UTF-8', HOME: '/home/dev', USER: 'dev', a: 'one two', b: '/x/y.tar.gz', e: '', n: '3', s: 'a;b' },
    cwd: '/',
    encoding: 'utf8',
  })
    .split('\0')
    .slice(0, -1);
}

describe('expandWord makes of words what bash makes of them', () => {
  it.each([
    String.raw`r''m "-r""f" 'a'\''b' \~ "\$x \" \\ \a"`,
    String.raw`$'\x72\x6d' $'\162m' $'a\tb' $'\u00e9' $"x"`,
    '$a "$a" ${a} "${a}" x$a"y"',
    '${e:-$a} "${e:-$a}" ${e-z} ${n:+set} ${zz:-q} ${zz-} ${n:=4}',
    '${b##*/} ${b%.gz} ${b%%.*} ${b#/} ${b/y/z} ${b//./-} ${b/%gz/xz} "${b/#\\/x/}"',
    '${b:3} ${b:1:3} ${b: -2} ${a^^} ${a^} "${a,,}"',
    '"$@" $@ "$*" "${l[@]}" "${l[0]}" ${l[1]} x"$@"y',
    '$1 "$2" ${1}',
    '{a,b}{1,2} {1..4} {c..a} x{a,}y {a} {,} "{a,b}" {a,{b,c}} \\{a,b}',
    '~ ~/x a~ "~" x=~/y \\~/z',
    '$(echo x y) "$(echo x y)" `echo x y` "a$(echo x y)b"',
    '$((3)) a\\\nb "a\\\nb"',
    'rm$IFS-rf$IFS/home \'\' "" $e "$e"',
    '$s "${s}" a"$n"b$n',
  ])('%s', (words) => {
    const mine = tokenize(words).flatMap((token) => (token.type === 'word' ? expandWord(token.raw, environment) : []));
    expect(mine).toEqual(bash(words));
  });
});
