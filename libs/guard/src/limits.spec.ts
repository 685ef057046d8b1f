import { MAX_COMMAND } from './errors.js';
import { Guard } from './guard.js';
import { PLACE } from './testing/parse-cases.js';

const PATIENCE_MS = 4_000; // a judgement takes at most about 700 ms on a quiet machine

describe('a command that is made to cost much', () => {
  let guard: Guard;
  beforeAll(async () => {
    guard = await Guard.load();
  });

  const repeated = (text: string, times: number): string => text.repeat(times);

  it.each<[string, string]>([
    ['a long word', `echo ${repeated('a', MAX_COMMAND - 5)}`],
    ['many quotes', `echo ${repeated("''", 60_000)}`],
    ['many commands', repeated('rm -rf a\n', 14_000)],
    ['very many commands', repeated('rm -rf a\n', 110_000)],
    ['a million parentheses', repeated('(', MAX_COMMAND)],
    ['a million quotes', `echo ${repeated('\'"', 500_000)}`],
    ['a million words', repeated('a ', 500_000)],
    ['10,000 parentheses', `${repeated('(', 10_000)}a${repeated(')', 10_000)}`],
    ['10,000 parentheses left open', repeated('(', 10_000)],
    ['substitutions in one another', `echo ${repeated('$(', 5_000)}a${repeated(')', 5_000)}`],
    ['substitutions left open', `echo ${repeated('$(', 20_000)}`],
    ['defaults in one another', `echo ${repeated('${a:-', 5_000)}a${repeated('}', 5_000)}`],
    ['quotes left open', `echo ${repeated('"', 50_001)}`],
    ['backslashes', `echo ${repeated('\\', 100_000)}`],
    ['braces that multiply', `echo ${repeated('{a,b}', 60)}`],
    ['braces left open', `echo ${repeated('{', 60_000)}`],
    ['braces in one another', `echo ${repeated('{a,', 2_000)}${repeated('}', 2_000)}`],
    ['a long range', 'echo {1..1000000000} {1..1000}{1..1000}'],
    ['wildcards', `rm -rf ${repeated('*a', 3_000)} /${repeated('?*', 30)}x /${repeated('[a', 30)}`],
    ['patterns that backtrack', "pkill -f '(a+)+$'; pkill '(.*)*x'; pkill '.*.*.*.*.*.*z'"],
    ['trimming by patterns that backtrack', `x=${repeated('a', 250)}; echo \${x##*a*a*a*a*a*b}`],
    ['here-documents left open', repeated('cat <<EOF\n', 2_000)],
    ['conditions left open', repeated('if a; then ', 3_000)],
    ['a long pipeline', `${repeated('a | ', 20_000)}b`],
    ['a long list', `${repeated('a && ', 20_000)}b`],
    ['functions that call twice', `${Array.from({ length: 200 }, (_, i) => `f${i}() { f${i + 1}; f${i + 1}; };`).join(' ')} f0`],
    ['loops in one another', `${repeated('for a in 1 2 3 4 5 6 7 8; do ', 12)}x; ${repeated('done; ', 12)}`],
    ['eval of itself', 'x="eval \\$x"; eval "$x"'],
    ['a value that doubles', `x=aaaaaaaa; ${repeated('x=$x$x; ', 40)}echo $x`],
    ['a file that doubles', `echo aaaa > f; ${repeated('cat f f > g; cat g g > f; ', 40)}sh f`],
    ['a run of NULs', repeated('\0', 100_000)],
    ['decoded NULs', `echo ${Buffer.alloc(100_000).toString('base64')} | base64 -d | sh`],
    ['escaped carriage returns', repeated('\\\r', 50_000)],
    ['noise', Array.from({ length: 60_000 }, (_, i) => '(){}[]$`"\'\\|&;<>#!~*? \n'[(i * i * 31 + i) % 24]).join('')],
  ])('is judged in bounded time: %s', (_name, command) => {
    const started = performance.now();
    const { verdict } = guard.judge(command, PLACE);
    expect(['allow', 'warn', 'ask']).toContain(verdict);
    expect(performance.now() - started).toBeLessThan(PATIENCE_MS);
  });

  it('is asked about when it is longer than anybody looks at', () => {
    expect(guard.judge(`echo ${'a'.repeat(MAX_COMMAND)}`, PLACE)).toMatchObject({ verdict: 'ask', rule: 'too-large' });
    expect(guard.judge(`cat > a <<'END'\n${'line\n'.repeat(200_000)}END\n`, PLACE)).toMatchObject({ verdict: 'allow' });
    expect(guard.judge(`cat > a <<'END'\n${'line\n'.repeat(200_000)}END\nrm -rf ~`, PLACE)).toMatchObject({ verdict: 'deny' });
  });

  it('is asked about when it takes too long, and denied for what was found before', () => {
    const long = 'rm -rf a\n'.repeat(14_000);
    expect(guard.judge(long, PLACE)).toMatchObject({ verdict: 'ask', rule: 'too-complex' });
    const loops = `${'for a in 1 2 3 4 5 6 7 8; do '.repeat(12)}x; ${'done; '.repeat(12)}`;
    expect(guard.judge(`rm -rf ~; ${loops}`, PLACE)).toMatchObject({ verdict: 'deny', rule: 'recursive-delete' });
  });

  it('leaves nothing behind for the next one', () => {
    guard.judge('('.repeat(10_000), PLACE);
    guard.judge('rm -rf a\n'.repeat(14_000), PLACE);
    expect(guard.judge('rm -rf ~', PLACE)).toMatchObject({ verdict: 'deny' });
    expect(guard.judge('ls', PLACE)).toMatchObject({ verdict: 'allow' });
  });
});

describe('text that is no shell', () => {
  let guard: Guard;
  beforeAll(async () => {
    guard = await Guard.load();
  });

  it('is let through to the shell with a warning', () => {
    expect(guard.judge('echo "open', PLACE)).toMatchObject({ verdict: 'warn', rule: 'unparsed', span: null });
  });

  it('is denied for what the shell would run before it finds the error', () => {
    expect(guard.judge('rm -rf ~\necho "open', PLACE)).toMatchObject({ verdict: 'deny', rule: 'recursive-delete' });
    expect(guard.judge('{rm,-rf,/*}', PLACE)).toMatchObject({ verdict: 'deny' });
  });

  it('is asked about when it holds a NUL', () => {
    expect(guard.judge('echo a\0', PLACE)).toMatchObject({ verdict: 'ask', rule: 'unparsed' });
    expect(guard.judge('echo a\0; rm -rf ~', PLACE)).toMatchObject({ verdict: 'deny' });
  });

  it('may hold half characters and characters of the private area', () => {
    expect(guard.judge('rm -rf ~ \ud800', PLACE)).toMatchObject({ verdict: 'deny' });
    expect(guard.judge('rm -rf \ue000 \ue100/ \uf8ff', PLACE)).toMatchObject({ verdict: 'allow' });
  });

  it.each(['', ' \n\t', '# rm -rf ~', ';', '&&', '|', ')'])('may be nearly nothing: %j', (command) => {
    expect(['allow', 'warn']).toContain(guard.judge(command, PLACE).verdict);
  });
});
