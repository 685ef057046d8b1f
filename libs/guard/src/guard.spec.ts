import { Guard } from './guard.js';
import { PLACE } from './testing/parse-cases.js';

let guard: Guard;
beforeAll(async () => {
  guard = await Guard.load();
});

const verdict = (command: string): string => guard.judge(command, PLACE).verdict;

describe('the guard follows', () => {
  it('an assignment before a command for that command alone', () => {
    expect(verdict('D=/tmp/x sh -c \'rm -rf "$D"/*\'')).toBe('allow');
    expect(verdict('D=/tmp/x true; rm -rf "$D"/*')).toBe('deny');
    expect(verdict('D=/tmp/x; rm -rf "$D"/*')).toBe('allow');
  });

  it('either branch of a condition, whichever may have run', () => {
    expect(verdict('if a; then D=/etc; else D=/tmp/x; fi; rm -rf "$D"')).toBe('deny');
    expect(verdict('if a; then D=/tmp/x; else D=/etc; fi; rm -rf "$D"')).toBe('deny');
    expect(verdict('if a; then D=/tmp/x; else D=/tmp/y; fi; rm -rf "$D"')).toBe('allow');
  });

  it('a function that calls itself only under a condition as one that ends', () => {
    expect(verdict('walk() { if [ -d "$1" ]; then walk "$1/x" | cat; fi; }; walk a')).toBe('allow');
    expect(verdict('walk() { [ -d "$1" ] || return; walk "$1/x" | cat; }; walk a')).toBe('allow');
    expect(verdict('walk() { walk "$1/x" | cat; }; walk a')).toBe('deny');
  });

  it('a value that doubles without end as something unknown', () => {
    expect(verdict(`x=aaaaaaaa; ${'x=$x$x; '.repeat(40)}echo "$x"`)).toBe('allow');
  });

  it('no directory out of a subshell, and every one within', () => {
    expect(verdict('(cd /); rm -rf build/*')).toBe('allow');
    expect(verdict('(cd /; rm -rf usr)')).toBe('deny');
  });

  it('the body of a here-document as text, also where the rest does not parse', () => {
    expect(verdict('cat <<EOF\nrm -rf ~\nEOF\necho "open')).toBe('warn');
    expect(verdict('bash <<EOF\nrm -rf ~\nEOF\necho "open')).toBe('deny');
  });

  it('what a command is given to read', () => {
    const withInput = (command: string, stdin: string): string => guard.judge(command, { ...PLACE, stdin }).verdict;
    expect(withInput('bash', 'rm -rf ~')).toBe('deny');
    expect(withInput('cd /; xargs rm -rf', 'usr')).toBe('deny');
    expect(withInput('cat > notes', 'rm -rf ~')).toBe('allow');
    expect(withInput('sh', 'r\0m \ue100 -rf ~\0')).toBe('deny');
  });

  it('substitutions wherever they stand', () => {
    const places = ['declare "x=$X"', 'export "x=$X" y', 'x[$X]=1', 'echo ${x[$X]}', 'echo "${x:?$X}"', 'echo ${x:$X}', 'echo ${#x[$X]}'];
    const more = ['echo ${x^^$X}', 'for ((i = $X; i < 1; i++)); do :; done', 'for ((; $X; )); do :; done', 'case a in $X) ;; esac'];
    const all = [...places, ...more].flatMap((place) => ['$(rm -rf ~)', '`rm -rf ~`'].map((script) => place.replace('$X', () => script)));
    for (const command of [...all, 'echo $((`rm -rf ~`))']) expect([command, verdict(command)]).toEqual([command, 'deny']);
  });

  it('a variable that is declared in quotes', () => {
    expect(verdict('export "D=/etc" E; rm -rf "$D"')).toBe('deny');
  });

  it('a program behind a function of its own name', () => {
    expect(verdict('rm() { command rm -v "$@"; }; rm -rf ~')).toBe('deny');
    expect(verdict('cd() { builtin cd "$@" && ls; }; cd /; rm -rf usr')).toBe('deny');
  });

  it('a subshell in a substitution, which begins as arithmetic does', () => {
    for (const command of ['$((rm -rf ~); true)', 'echo $((rm -rf ~) | cat)', 'echo "$((cd /; rm -rf usr) 2>&1)"'])
      expect([command, verdict(command)]).toEqual([command, 'deny']);
    expect(verdict('echo $(( (1 + 2) * 3 )) $((1))')).toBe('allow');
  });

  it('a program whose place was looked up', () => {
    for (const command of ['$(which rm) -rf ~', '"$(command -v rm)" -rf ~', 'r=$(type -P rm); $r -rf ~', '`command -pv rm` -rf ~'])
      expect([command, verdict(command)]).toEqual([command, 'deny']);
    expect(verdict('rm -rf "$(command -v foo)/"')).toBe('allow');
    expect(verdict('cd "$(dirname "$(which node)")" && ls')).toBe('allow');
  });

  it('a shell with options that are switched off', () => {
    expect(verdict("bash +e +O extglob -c 'rm -rf ~'")).toBe('deny');
    expect(verdict("bash -e +x -o pipefail -c 'rm -rf ~'")).toBe('deny');
  });

  it('scripts that are long', () => {
    const script = `: ${'x'.repeat(70_000)}\nrm -rf ~`;
    for (const command of [`cat > s.sh <<'E'\n${script}\nE\nsh s.sh`, `x='${script}'; eval "$x"`, `bash <(cat <<'E'\n${script}\nE\n)`])
      expect(verdict(command)).toBe('deny');
    expect(verdict(`x=${'a'.repeat(60_000)}; x="$x$x$x$x$x$x$x$x$x"; x="$x$x"; eval "$x$x"`)).toBe('ask');
  });

  it('what stands late among many', () => {
    const names = Array.from({ length: 60 }, (_, index) => `a${index}`);
    const lists = [`for d in ${names.join(' ')} /etc; do rm -rf $d; done`, `rm -rf {${[...names, ...names].join(',')},/etc}`];
    const piped = ['xargs rm -rf', 'xargs -I{} rm -rf {}', 'parallel rm -rf'].map(
      (end) => `printf '%s\\n' ${names.join(' ')} /etc | ${end}`,
    );
    const read = `mapfile -t A <<E\n${names.join('\n')}\n/etc\nE\nrm -rf "\${A[@]}"`;
    for (const command of [...lists, ...piped, read]) expect([command, verdict(command)]).toEqual([command, 'deny']);
  });

  it('the place that it is given', () => {
    expect(guard.judge('rm -rf *', { cwd: '/home/other', home: '/home/other' })).toMatchObject({ verdict: 'deny' });
    expect(guard.judge('rm -rf *', { cwd: '/home/other/p', home: '/home/other' })).toMatchObject({ verdict: 'ask' });
    expect(guard.judge('rm -rf ~/p', { cwd: '/tmp', home: '/home/other' })).toMatchObject({ verdict: 'allow' });
  });
});

describe('the guard asks about', () => {
  it('what nests deeper than it looks', () => {
    expect(guard.judge(`${'('.repeat(50)}a${')'.repeat(50)}`, PLACE)).toMatchObject({ verdict: 'allow' });
    expect(guard.judge(`${'('.repeat(250)}a${')'.repeat(250)}`, PLACE)).toMatchObject({ verdict: 'ask', rule: 'too-complex' });
  });

  it('scripts in scripts, too deep to be followed', () => {
    expect(guard.judge(`${'eval '.repeat(40)}rm -rf ~`, PLACE)).toMatchObject({ verdict: 'ask', rule: 'too-complex' });
    expect(guard.judge(`${'eval '.repeat(40)}ls; rm -rf ~`, PLACE)).toMatchObject({ verdict: 'deny' });
  });

  it('words longer than any program takes', () => {
    expect(guard.judge(`x=${'a'.repeat(60_000)}; echo "${'$x'.repeat(100)}"`, PLACE)).toMatchObject({
      verdict: 'ask',
      rule: 'too-complex',
    });
  });
});

describe('a verdict', () => {
  it('is the strictest of all rules that are met, and of equals the first of the file', () => {
    expect(guard.judge('git reset --hard; killall node; reboot', PLACE)).toMatchObject({
      verdict: 'deny',
      rule: 'power',
      span: { start: 32, end: 38 },
    });
    expect(guard.judge('reboot; rm -rf ~', PLACE)).toMatchObject({ id: 'delete-system-or-home' });
  });

  it('under the rights of another user is a denial that says so', () => {
    expect(guard.judge('sudo killall node', PLACE)).toMatchObject({
      verdict: 'deny',
      rule: 'privilege',
      id: 'kill-general',
      why: expect.stringMatching(/^it runs with the rights of another user: it kills processes by a name/),
    });
    expect(guard.judge('ssh web1 sudo reboot', PLACE)).toMatchObject({ verdict: 'deny', rule: 'power' });
    expect(guard.judge('sudo git reset --hard', PLACE)).toMatchObject({ verdict: 'warn' });
  });

  it('marks the command of the text, not of a script within it', () => {
    expect(guard.judge("ls; sh -c 'cd /; rm -rf usr'", PLACE)).toMatchObject({ span: { start: 4, end: 28 } });
  });
});
