import { chmodSync, closeSync, existsSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '#ninep';
import { processesWith } from '../e2e/ollie.js';
import { payload, text, ToolBench } from './tool-bench.js';

jest.setTimeout(120_000);

interface Answer {
  readonly content: readonly { readonly text: string }[];
  readonly isError: boolean;
  readonly exitCode?: number;
}

/** What real programs do to whoever runs them, and what their caller is told of it. */
describe('a tool that', () => {
  const bench = new ToolBench();
  let client: Client;

  beforeAll(async () => {
    await bench.start();
    client = await bench.connect();
    await client.writeAll('ctl', 'load a-1 shell\n');
  });
  afterAll(() => bench.close());

  async function ask(fields: Readonly<Record<string, string>>): Promise<Answer> {
    return parseAnswer(text(await client.ask('proc/new', payload(client, fields))));
  }
  const shell = (cmd: string, more: Readonly<Record<string, string>> = {}): Promise<Answer> => ask({ tool: 'shell', cmd, ...more });
  const said = ({ content }: Answer): string => content.map((part) => part.text).join('');

  /** Puts an executable into the user's directory of tools, loads it and calls it. */
  async function callFile(name: string, content: string): Promise<Answer> {
    writeFileSync(join(bench.tools, `${name}.yaml`), `description: a test\ncommand: [${bench.tools}/${name}.run]\n`);
    writeFileSync(join(bench.tools, `${name}.run`), content);
    chmodSync(join(bench.tools, `${name}.run`), 0o755);
    await client.writeAll('ctl', `load a-1 ${name}\n`);
    return ask({ tool: name });
  }

  it('floods is stopped, long before its end, and its first and last words are kept', async () => {
    const begun = performance.now();
    const answer = await shell('echo first; yes | head -c 10000000000; echo last');
    expect(answer).toMatchObject({ isError: true, exitCode: 137 });
    expect(said(answer)).toMatch(/^execution failed: exit 137 \(too much output\)\nfirst\ny\ny\n/);
    expect(said(answer)).toMatch(/bytes left out; proc\/\d+\/out has the first 10485760/);
    expect(said(answer)).not.toContain('last');
    expect(Buffer.byteLength(said(answer))).toBeLessThanOrEqual(32 * 1024);
    expect(performance.now() - begun).toBeLessThan(60_000);
  });

  it('writes half a character at a time gives whole ones', async () => {
    expect(said(await shell("printf '\\342'; sleep 0.05; printf '\\202'; sleep 0.05; printf '\\254 ok'"))).toBe('€ ok');
  });

  it('writes bytes that are no text gives them to out as they are, and to the model as text', async () => {
    const answer = await shell("printf 'a\\000b\\377c'");
    expect(said(answer)).toBe('a\0b\ufffdc');
    const pid = /^(\d+)\texited\tshell\n$/m.exec(
      text(await client.readAll('proc/list'))
        .trimEnd()
        .split('\n')
        .at(-1) + '\n',
    )?.[1];
    expect([...(await client.readAll(`proc/${pid}/out`))]).toEqual([97, 0, 98, 255, 99]);
  });

  it('asks a terminal is told that there is none, at once', async () => {
    const begun = performance.now();
    expect(said(await shell('tty; read -r x </dev/tty; echo "got $? $x"'))).toMatch(/not a tty\n[^]*\/dev\/tty[^]*got 1/);
    expect(
      said(await shell('git config --get core.pager; git -c core.pager= log --oneline -1; echo $GIT_TERMINAL_PROMPT $PAGER $TERM')),
    ).toContain('0 cat dumb');
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it.each([
    ['exit 7', 7],
    ['exit 300', 44],
    ['kill -9 $$', 137],
    ['kill -15 $$', 143],
    ['sh -c "kill -11 \\$\\$"', 139],
  ])('ends by %s has exit code %d', async (cmd, code) => {
    const answer = await shell(cmd);
    expect(answer).toMatchObject({ isError: true, exitCode: code });
    expect(said(answer)).toContain(`execution failed: exit ${code}`);
  });

  it('is written to while it is called runs when the writer is done, and is called busy when he is not', async () => {
    await callFile('written', '#!/bin/sh\necho written\n');
    const file = openSync(join(bench.tools, 'written.run'), 'r+');
    setTimeout(() => closeSync(file), 40);
    expect(said(await ask({ tool: 'written' }))).toBe('written\n');
    const kept = openSync(join(bench.tools, 'written.run'), 'r+');
    const answer = await ask({ tool: 'written' });
    closeSync(kept);
    expect(answer.isError).toBe(true);
    expect(said(answer)).toMatch(/busy|open for writing/);
  });

  it('has no interpreter, or one of another line end, is told apart from a missing one', async () => {
    expect(said(await callFile('crlf', '#!/bin/sh\r\necho no\r\n'))).toContain("interpreter '/bin/sh\r' not found (CRLF line ends?)");
    expect(said(await callFile('nowhere', '#!/no/such/interpreter\n'))).toContain("interpreter '/no/such/interpreter' not found");
    expect(said(await callFile('plain', 'echo no shebang\n'))).toBe('no shebang\n');
  });

  it('gets the longest command, and says what is too long', async () => {
    const long = `echo ${'x'.repeat(1_000_000)} | wc -c`;
    expect(said(await shell(long)).trim()).toBe('1000001');
    expect(said(await shell('/bin/echo $(head -c 3000000 /dev/zero | tr "\\0" x) >/dev/null'))).toContain('Argument list too long');
  });

  it('is called with a NUL does not run', async () => {
    const call = ask({ tool: 'shell', args: JSON.stringify({ cmd: 'touch nul; echo a\0b' }) });
    await expect(call).rejects.toThrow('illegal argument: bad payload line 4');
    expect(existsSync(join(bench.project, 'nul'))).toBe(false);
  });

  it('is a command that nobody means does not run, not even outside of the sandbox', async () => {
    const victim = join(bench.home, 'victim');
    writeFileSync(victim, 'kept');
    const answer = await shell(`touch started; rm -rf ~`);
    expect(answer).toMatchObject({ isError: true });
    expect(said(answer)).toMatch(/^dangerous pattern detected: recursive-delete\n/);
    expect(said(await shell('rm -rf ~', { bypass: 'true' }))).toMatch(/^dangerous pattern detected: /);
    expect([existsSync(victim), existsSync(join(bench.project, 'started'))]).toEqual([true, false]);
  });

  it('forks away, changes its session and ignores signals is ended with its call all the same', async () => {
    const mark = `${process.pid}.${Date.now() % 100000}`;
    const script = `trap '' TERM HUP; (setsid sh -c 'trap "" TERM; (setsid sleep 1${mark} &) ; sleep 1${mark}' &); sleep 0.2; echo done`;
    expect(said(await shell(script))).toMatch(/^done\n\n\[processes that were still running have been ended with the call: \d\]\n$/);
    expect(processesWith(`sleep 1${mark}`)).toEqual([]);
  });
});

function parseAnswer(json: string): Answer {
  const answer: Answer = JSON.parse(json);
  return answer;
}
