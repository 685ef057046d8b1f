import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie, processesWith, until } from './ollie.js';

jest.setTimeout(90_000);

/** The files of an agent with a real tool server, through a mount and through ollie-9p. */
describe('the files of an agent, as a shell uses them', () => {
  const ollie = new Ollie();
  const mounted = join(ollie.folder, 'mnt');
  const AGENT = `${mounted}/session/s/agent/a`;
  const sh = async (script: string): Promise<string> => {
    const { code, stdout, stderr } = await ollie.sh(`cd ${AGENT} || exit\n${script}`);
    return code === 0 ? stdout : `${stdout}${stderr}`;
  };
  const ctl = async (line: string): Promise<string> => {
    const { stdout, stderr } = await ollie.sh(`echo '${line}' | ollie-9p rdwr session/s/agent/a/ctl`);
    return stdout + stderr;
  };
  const isIdle = async (): Promise<boolean> => (await sh('cat cfg')).startsWith('state=idle\n');

  beforeAll(async () => {
    mkdirSync(mounted);
    await ollie.start({ args: ['--mount', mounted] });
    await ollie.sh('echo name=s | ollie-9p write session/new');
    for (const name of ['a', 'b']) await ollie.sh(`echo name=${name} | ollie-9p write session/s/agent/new`);
  });
  afterAll(() => ollie.destroy());

  it('fifo: what echo puts in, cat takes out, one a time', async () => {
    await sh('echo one > fifo; printf "two\\nlines\\n" >> fifo');
    expect(await sh('cat fifo; echo --; cat fifo; echo --; cat fifo')).toBe('one\n--\ntwo\nlines\n--\n');
    expect(await sh('stat -c "%a %s" fifo')).toBe('664 0\n');
  });

  it('feed: a pipe that stays open feeds value after value', async () => {
    expect(await sh('( echo first; sleep 0.5; echo second ) | cat > feed & sleep 0.4; cat feed; cat feed; wait')).toBe('first\nsecond\n');
  });

  it('cfg: echo fails with the errno of the contract', async () => {
    expect(await sh('echo topK=3 > cfg; grep topK cfg')).toBe('topK=3\n');
    expect(await sh('/bin/echo k=v > cfg')).toMatch(/Invalid argument/);
    expect(await sh('/bin/echo state=idle > cfg')).toMatch(/Read-only file system/);
    expect(await sh('/bin/echo cwd=/nowhere > cfg')).toMatch(/No such file or directory/);
    expect(await sh('printf "topK=4\\nmaxSteps=2\\n" | cat > cfg; grep -E "topK|maxSteps" cfg')).toBe('maxSteps=2\ntopK=4\n');
  });

  it('ctl: a refused command stands in the answer of the same descriptor', async () => {
    const script = 'exec 3<>ctl; for line in cwd bogus backend; do echo $line >&3; cat <&3; done 2>/dev/null';
    expect(await sh(script)).toBe(`${ollie.project}\nerror: illegal command: bogus\nscripted\n`);
  });

  it('peer: one agent writes to another', async () => {
    expect(await sh('ls peer')).toBe('b\n');
    await sh('echo "say <hello>" > peer/b');
    await until('b has answered', async () =>
      (await sh('cat ../b/log')).includes('<system-peer from="a">\nsay &lt;hello>\n</system-peer>\n'),
    );
  });

  it('ctx: one file a message, ls and cat', async () => {
    await sh('echo "say hi" > prompt');
    await until('it has answered', isIdle);
    expect(await sh('ls ctx')).toBe('0001\n0002\nidx\n');
    expect(await sh('cat ctx/0001; echo; cat ctx/0002; echo; cat ctx/idx')).toMatch(
      /^say hi\n\[scripted\] hi\n0001\tuser\thot\t2\tsay hi\n0002\tassistant\thot\t4\t\[scripted\] hi\n$/,
    );
  });

  it('proc: a background process has its directory while it runs and afterwards', async () => {
    const go = join(ollie.project, 'go');
    await sh('echo "start echo begun; while ! [ -e go ]; do sleep 0.1; done; echo over" > prompt');
    await until('it runs and the turn is over', async () => (await isIdle()) && (await sh('ls proc')) !== 'top\n');
    const pid = (await sh('ls proc')).split('\n')[0] ?? '';
    expect(pid).toMatch(/^\d+$/);
    await until('its output is there', async () => (await sh(`cat proc/${pid}/out`)) === 'begun\n');
    expect(await sh(`cat proc/${pid}/stat`)).toMatch(/^id=\d+\nstate=running\ntool=shell\n/);
    expect(await ctl('proc')).toBe(`${pid}\trunning\tshell\n`);
    expect(await ctl(`proc dismiss ${pid}`)).toContain('process is busy: still running');
    writeFileSync(go, '');
    await until('its end was told', async () => (await sh('cat log')).includes('has ended with 0'));
    expect(await sh(`cat proc/${pid}/out`)).toBe('begun\nover\n');
    expect(await ctl(`proc out ${pid}`)).toBe('begun\nover\n');
    expect(await sh(`cat proc/${pid}/stat`)).toMatch(/\nstate=exited\n(.*\n)*exit=0\n/);
    expect(await ctl(`proc term ${pid}`)).toContain(`no such process: ${pid}`);
    expect(await ctl(`proc dismiss ${pid}`)).toBe('ok\n');
    expect(await sh('ls proc')).toBe('top\n');
  });

  it('proc: tail -f follows the output of a process', async () => {
    await sh("echo 'start for i in 1 2 3 4 5 6; do echo line $i; sleep 0.3; done' > prompt");
    await until('it runs and the turn is over', async () => (await isIdle()) && (await sh('ls proc')) !== 'top\n');
    const pid = (await sh('ls proc')).split('\n')[0] ?? '';
    expect(await sh(`timeout 4 tail -n +1 -s 0.1 -f proc/${pid}/out`)).toBe('line 1\nline 2\nline 3\nline 4\nline 5\nline 6\n');
    expect(await sh(`stat -c %s proc/${pid}/out`)).toBe('42\n');
    expect(await ctl(`proc dismiss ${pid}`)).toBe('ok\n');
  });

  it('proc: ctl ends what runs', async () => {
    await sh('echo "start exec sleep 62.40215" > prompt');
    await until('it runs', () => processesWith('sleep 62.40215').length > 0);
    await until('the turn is over', isIdle);
    const pid = (await sh('ls proc')).split('\n')[0] ?? '';
    expect(await ctl(`proc term ${pid}`)).toBe('ok\n');
    await until('its end was told', async () => (await sh('cat log')).includes('has ended with 143'));
  });

  it('proc: what a long call has put out can be read while it runs', async () => {
    await sh('echo "run seq 1 20000; sleep 1.5" > prompt');
    await until('it is cut in chat.raw', async () =>
      (await ollie.sh('ollie-9p read session/s/agent/a/cfg')).stdout.includes('action=calling: shell'),
    );
    await until('the call is over', isIdle);
    const path = /\[the output goes on in (proc\/\d+\/out)\]/.exec(
      (await ollie.sh('ollie-9p read session/s/agent/a/chat.raw')).stdout,
    )?.[1];
    expect(path).toBeDefined();
    expect(await sh(`tail -n 1 ${path ?? ''}`)).toBe('20000\n');
  });

  it('inject: a word for the running turn', async () => {
    await sh('echo "run sleep 1" > prompt');
    await until('it runs', async () => (await sh('cat cfg')).includes('action=calling: shell'));
    expect(await ctl('inject go left')).toBe('ok\n');
    expect(await ctl('i then right')).toBe('queued\n');
    await until('all is over', async () => (await isIdle()) && (await sh('cat stats')).includes('queued=0\n'));
    const log = await sh('cat log');
    expect(log.match(/^user: go left$/gm)).toHaveLength(1);
    expect(log.match(/^user: then right$/gm)).toHaveLength(1);
    expect(await sh('cat ctx/*')).toContain('<system-user-interruption>\ngo left\n</system-user-interruption>');
  });

  it('tells no bug', () => {
    expect(ollie.stderr).not.toMatch(/error|unhandled|TypeError/);
  });
});
