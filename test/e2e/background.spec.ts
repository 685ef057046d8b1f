import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ollie, processesWith, until } from './ollie.js';

jest.setTimeout(90_000);

describe('a process in the background', () => {
  const ollie = new Ollie();
  const read = async (file: string): Promise<string> => (await ollie.sh(`ollie-9p read session/s/agent/a/${file}`)).stdout;
  const prompt = (text: string): Promise<unknown> => ollie.sh(`echo '${text}' | ollie-9p write session/s/agent/a/prompt`);
  const chat = async (): Promise<string> => read('chat.raw');

  beforeAll(async () => {
    await ollie.start();
    await ollie.sh('echo name=s | ollie-9p write session/new; echo name=a | ollie-9p write session/s/agent/new');
  });
  afterAll(() => ollie.destroy());

  it('goes on while its agent is idle, and its end is told once, as a turn that says whence it comes', async () => {
    const go = join(ollie.project, 'go');
    await prompt('start while ! [ -e go ]; do sleep 0.1; done; echo "<made>"; exit 3');
    await until('it was started', async () => (await chat()).includes('started in the background as process'));
    await until('the agent is idle', async () => (await read('state')).trim() === 'idle' || (await read('cfg')).includes('state=idle'));
    expect(await read('proc/top')).toMatch(/ shell +while ! /);
    writeFileSync(go, '');
    await until('the end was told', async () => (await chat()).includes('has ended with 3'));
    const text = await chat();
    expect(text).toMatch(
      /^\[\[\[user id=\d+ source=proc ts=\d+\]\]\]\n<system-proc-complete id="\d+" cmd="while [^"]*&quot;&lt;made&gt;&quot;; exit 3" exit="3">\n&lt;made>\n<\/system-proc-complete>$/m,
    );
    expect(text.match(/<system-proc-complete /g)).toHaveLength(1);
    expect(await read('proc/top')).toBe('PID TOOL CMD\n');
  });

  it('has its output where the agent can read it, and dies with its agent', async () => {
    await prompt('start echo $$ > pid; exec sleep 62.40213');
    await until('it runs', () => existsSync(join(ollie.project, 'pid')) && processesWith('sleep 62.40213').length > 0);
    await ollie.sh('echo kill | ollie-9p write session/s/agent/a/ctl');
    await until('it has gone', () => processesWith('sleep 62.40213').length === 0);
    expect(ollie.stderr).not.toMatch(/error|warn/);
  });

  it('dies with the daemon', async () => {
    await ollie.sh('echo name=a | ollie-9p write session/s/agent/new');
    await prompt('start exec sleep 62.40214');
    await until('it runs', () => processesWith('sleep 62.40214').length > 0);
    await ollie.end('SIGKILL');
    await until(
      'it has gone, and the tool server with it',
      () => processesWith('sleep 62.40214').length + processesWith(ollie.folder).length === 0,
    );
    expect(ollie.stderr).not.toContain('unhandled');
  });
});
