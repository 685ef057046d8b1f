import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root, run, type Ended } from '../support/run.js';

const toolsrv = join(root, 'bin/toolsrv');
const env = { PATH: process.env.PATH, HOME: '/home/dev' };
const guard = (args: readonly string[], input = ''): Promise<Ended> => run(toolsrv, ['guard', ...args], { env, input });

describe('toolsrv guard', () => {
  it('says allow of a command that no rule knows', async () => {
    expect(await guard(['ls -la'])).toEqual({ code: 0, signal: null, stdout: 'allow\n', stderr: '' });
  });

  it('shows rule, place and reason, and ends with 0', async () => {
    expect(await guard(['cd /tmp && rm -rf ~; ls'])).toEqual({
      code: 0,
      signal: null,
      stdout:
        'deny: recursive-delete (delete-system-or-home)\n  cd /tmp && >>>rm -rf ~<<<; ls\n  it deletes a system directory or the home directory with all below, or would with a variable empty that is not set; name what you mean, and write ${NAME:?}\n',
      stderr: '',
    });
  });

  it('makes control characters of a command visible', async () => {
    const { stdout } = await guard(['printf "\x1b[2J"; reboot']);
    expect(stdout).toContain('  printf "\\x1b[2J"; >>>reboot<<<\n');
  });

  it('prints one JSON object with --json', async () => {
    expect(JSON.parse((await guard(['--json', 'kill -9 -1'])).stdout)).toEqual({
      verdict: 'deny',
      rule: 'kill-all',
      span: [0, 10],
      why: 'it kills every process, or all of a user',
    });
    expect(JSON.parse((await guard(['--json', 'ls'])).stdout)).toEqual({ verdict: 'allow', rule: null, span: null, why: null });
  });

  it('judges as if in the directory of --cwd', async () => {
    expect((await guard(['--cwd', '/home/dev', '--json', 'rm -rf *'])).stdout).toContain('"deny"');
    expect((await guard(['--cwd', '/home/dev/p', '--json', 'rm -rf *'])).stdout).toContain('"ask"');
  });

  it('answers each line of standard input, and names lines that it cannot use', async () => {
    const input = ['{"id":"a","command":"ls"}', 'no json', '', '{"id":7,"command":"halt"}', '{"id":8}', '[1]', '{"command":"ls"}'].join(
      '\n',
    );
    const { code, stdout, stderr } = await guard(['--json'], input);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { id: 'a', verdict: 'allow', rule: null, span: null, why: null },
      { line: 2, error: expect.stringMatching(/^not JSON: /) },
      { id: 7, verdict: 'deny', rule: 'power', span: [0, 4], why: 'it stops or restarts this machine' },
      { line: 5, error: 'no text "command"' },
      { line: 6, error: 'no text "command"' },
      { id: null, verdict: 'allow', rule: null, span: null, why: null },
    ]);
  });

  it('answers a line before it has the next', async () => {
    const child = spawn(toolsrv, ['guard'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const id of [1, 2]) {
      child.stdin.write(`{"id":${id},"command":"ls"}\n`);
      expect(JSON.parse((await lines.next()).value as string)).toMatchObject({ id });
    }
    child.stdin.end();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  it('runs no command that it judges', async () => {
    const { stdout } = await guard(['echo touched > /dev/stderr; exit 3']);
    expect(stdout).toBe('allow\n');
  });

  it('ends quietly when nobody reads on, and says that a disk is full', async () => {
    const lines = `for n in $(seq 3000); do echo '{"id":1,"command":"rm -rf ~"}'; done`;
    const head = await run('bash', ['-c', `${lines} | { ${toolsrv} guard; echo "$?" >&2; } | head -n 1`], { env });
    expect(head).toMatchObject({ stdout: expect.stringMatching(/^\{"id":1,"verdict":"deny".*\n$/), stderr: '0\n' });
    const full = await run('bash', ['-c', `${toolsrv} guard ls > /dev/full`], { env });
    expect(full).toMatchObject({ code: 1, stderr: 'toolsrv: ENOSPC: no space left on device, write\n' });
  });

  describe('with permission rules of the user', () => {
    let folder: string;
    beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'guard-command-'))));
    afterEach(() => rmSync(folder, { recursive: true }));

    const judge = (rules: string, ...args: readonly string[]): Promise<Ended> => {
      writeFileSync(join(folder, 'permissions.yaml'), rules);
      return run(toolsrv, ['guard', ...args], { env: { ...env, OLLIE_CFG_PATH: folder }, input: '{"id":1,"command":"ls; make it"}\n' });
    };
    const rules = `rules:
  - { id: no-make, verdict: deny, why: use ninja, when: [{ program: make }, { tool: shell, inside: /x }], examples: [make] }
guard: { delete-repository: allow }
`;

    it('judges by them as well, and says where the rule stands', async () => {
      const place = `${folder}/permissions.yaml:2`;
      expect((await judge(rules, 'ls; make it')).stdout).toBe(`deny: no-make\n  ls; >>>make it<<<\n  use ninja\n  ${place}\n`);
      expect(JSON.parse((await judge(rules)).stdout)).toEqual({ id: 1, verdict: 'deny', rule: 'no-make', span: [4, 11], why: 'use ninja' });
      expect((await judge(rules, 'rm -rf .git')).stdout).toBe('allow\n');
    });

    it('judges nothing by a file that cannot be used, and says where', async () => {
      const { code, stdout, stderr } = await judge(rules.replace('[make]', '[ninja]'), 'ls');
      const wrong = `${folder}/permissions.yaml:2: rules no-make: examples: the rule does not meet "ninja"`;
      expect([code, stdout, stderr]).toEqual([1, '', `toolsrv: ${wrong}\n`]);
    });
  });

  it('refuses more than one command', async () => {
    expect(await guard(['a', 'b'])).toMatchObject({ code: 2, stdout: '' });
  });
});
