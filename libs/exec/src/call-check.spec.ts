import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Paths } from '#config';
import { CallCheck, type CheckedCall } from './call-check.js';

const PUBLISH = 'rules: [{ id: publish, verdict: deny, why: not here, when: [{ program: npm }, { tool: put }], examples: [npm publish] }]';

let now: number;
let config: string;
let check: CallCheck;
beforeEach(() => {
  now = 1000;
  config = mkdtempSync(join(tmpdir(), 'call-check-'));
  check = new CallCheck(Paths.from({ HOME: '/home/u', OLLIE_CFG_PATH: config }), () => now);
});
afterEach(() => rmSync(config, { recursive: true }));

const rules = (yaml: string): void => writeFileSync(join(config, 'permissions.yaml'), yaml);
const ask = (cmd: unknown, more: Partial<CheckedCall> = {}): ReturnType<CallCheck['questionAbout']> =>
  check.questionAbout({ agent: 'a-1', tool: 'shell', cwd: '/home/u/project', args: { cmd: cmd as string }, ...more });

describe('a command of a call', () => {
  it.each(['rm -rf ~', 'dd if=/dev/zero of=/dev/sda', ':(){ :|:& };:'])(
    'is turned down when the guard denies it, and says why: %s',
    async (cmd) => {
      await expect(ask(cmd)).rejects.toThrow(/^dangerous pattern detected: [a-z-]+\n./);
    },
  );

  it('is asked about when the guard asks', async () => {
    expect(await ask('rm -rf .git')).toEqual({ rule: 'delete-repository', why: expect.stringContaining('deletes a repository') });
    expect(await ask('x'.repeat(1_100_000))).toEqual({ rule: 'too-large', why: expect.stringContaining('put the script into a file') });
  });

  it.each(['rm -rf build', 'git reset --hard', 'echo "unfinished', 'x'.repeat(300_000)])('runs otherwise: %.20s', async (cmd) => {
    expect(await ask(cmd)).toBeUndefined();
  });

  it('is only what stands in the argument cmd as text', async () => {
    expect(await ask('', { args: { content: 'rm -rf ~' } })).toBeUndefined();
    expect(await ask(7)).toBeUndefined();
  });

  it('is not looked at for a while when five within a minute were denied, for that agent alone', async () => {
    rules(PUBLISH);
    for (const cmd of ['rm -rf ~', 'npm publish', 'rm -rf ~', 'npm i']) await expect(ask(cmd)).rejects.toThrow(/^(dangerous|permission)/);
    await expect(ask('', { tool: 'put', args: {} })).rejects.toThrow(/^permission denied: publish\nnot here$/);
    await expect(ask('ls')).rejects.toThrow('rate limited: too many validation failures, blocked for 30s');
    expect([await ask('ls', { agent: 'a-2' }), await ask('', { tool: 'get', args: {} })]).toEqual([undefined, undefined]);
    now += 30_000;
    expect(await ask('ls')).toBeUndefined();
  });
});

describe('permission rules', () => {
  it('deny with their id and why, and ask with both', async () => {
    rules(`default: ask\n${PUBLISH}`);
    await expect(ask('npm publish')).rejects.toThrow(/^permission denied: publish\nnot here$/);
    expect(await ask('', { tool: 'get', args: {} })).toEqual({ rule: 'default', why: 'no rule allows it' });
  });

  it('that cannot be used refuse every call, until they are mended', async () => {
    rules('rule: []');
    const text = `execution failed: ${config}/permissions.yaml:1: rule: no such key`;
    await Promise.all([expect(ask('ls')).rejects.toThrow(text), expect(ask('', { tool: 'get', args: {} })).rejects.toThrow(text)]);
    rules(PUBLISH);
    expect(await ask('ls')).toBeUndefined();
  });
});
