import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie } from './ollie.js';

jest.setTimeout(60_000);

const ollie = new Ollie();
const secretFile = join(ollie.folder, 'secret');
const emptyFile = join(ollie.folder, 'empty');
writeFileSync(secretFile, 's3cret\n');
writeFileSync(emptyFile, '\n');

afterEach(() => ollie.end());
afterAll(() => ollie.destroy());

/** Starts with one TCP listener and gives its address. */
async function startWith(...args: readonly string[]): Promise<string> {
  await ollie.start({ args: ['--tcp', '127.0.0.1:0', ...args] });
  const [, address = ''] = /^olliesrv: listening on (tcp!.*)$/m.exec(ollie.stdout) ?? [];
  return address;
}

describe('olliesrv serve --tcp', () => {
  it.each([
    ['without a word on who may come in', ['--tcp', '127.0.0.1:0'], /--tcp needs --tcp-secret-file FILE, or --tcp-no-auth/],
    ['with two such words', ['--tcp', '127.0.0.1:0', '--tcp-no-auth', '--tcp-secret-file', secretFile], /exclude each other/],
    ['with an empty secret', ['--tcp', '127.0.0.1:0', '--tcp-secret-file', emptyFile], /empty is empty/],
    ['with a secret that cannot be read', ['--tcp', '127.0.0.1:0', '--tcp-secret-file', '/nonexistent'], /ENOENT/],
    ['with a secret and no address', ['--tcp-secret-file', secretFile], /need --tcp ADDRESS/],
    ['with no address for guests', ['--tcp-no-auth'], /need --tcp ADDRESS/],
    ['with a limit that is none', ['--limit', 'fids=0'], /--limit: fids=0 is not NAME=NUMBER/],
  ])('refuses to start %s: one sentence, and 2', async (_how, args, sentence) => {
    const { code, stdout, stderr } = await ollie.olliesrv('serve', ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('lets a user in with the secret, by either way, and nobody without', async () => {
    const address = await startWith('--tcp-secret-file', secretFile);
    expect(address).toMatch(/^tcp!127\.0\.0\.1![1-9]\d*$/);
    expect(ollie.stdout).toContain(`olliesrv: listening on ${ollie.address}\n`);
    const made = await ollie.sh(`printf name=t | ollie-9p -a '${address}' --secret-file ${secretFile} rdwr session/new`);
    expect(made).toMatchObject({ code: 0, stdout: 't\n' });
    expect(await ollie.sh(`ollie-9p -a '${address}' -A key=s3cret read session/t/name`)).toMatchObject({ code: 0, stdout: 't\n' });
    const without = await ollie.sh(`ollie-9p -a '${address}' read session/t/name`);
    expect(without).toMatchObject({ code: 1, stdout: '', stderr: 'ollie-9p: permission denied: authentication required\n' });
    const wrong = await ollie.sh(`ollie-9p -a '${address}' -A key=guess read session/t/name`);
    expect(wrong).toMatchObject({ code: 1, stderr: 'ollie-9p: permission denied: bad secret\n' });
  });

  it('lets everybody in as a guest who reads, prompts and stops', async () => {
    const address = await startWith('--tcp-no-auth');
    const [user, guest] = ['ollie-9p', `ollie-9p -a '${address}'`];
    await ollie.sh(`echo name=g | ${user} write session/new; echo name=a | ${user} write session/g/agent/new`);
    const agent = 'session/g/agent/a';
    expect(await ollie.sh(`echo say hi | ${guest} write ${agent}/prompt && ${guest} read ${agent}/chat`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('user: say hi\n'),
    });
    expect(await ollie.sh(`echo stop | ${guest} rdwr ${agent}/ctl`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^(ok|idle)\n$/),
    });
    const denied = ['ctl', 'session/new', 'session/g/ctl', 'session/g/agent/new', `${agent}/plan`, 'generate'];
    for (const file of denied) {
      const attempt = await ollie.sh(`echo kill | ${guest} rdwr ${file}`);
      expect({ file, ...attempt }).toMatchObject({ file, code: 1, stderr: `ollie-9p: ${file}: permission denied\n` });
    }
    expect(await ollie.sh(`echo kill | ${guest} rdwr ${agent}/ctl`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('permission denied'),
    });
    expect(await ollie.sh(`${guest} rm session/g`)).toMatchObject({ code: 1, stderr: expect.stringContaining('permission denied') });
    expect(await ollie.sh(`${guest} ls session`)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^g\nidx\nnew\n/) });
  });
});
