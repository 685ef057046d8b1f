import { resolve } from 'node:path';
import { Ollie, until, type Outcome } from './ollie.js';

jest.setTimeout(90_000);

const EXAMPLES = resolve(__dirname, '../../examples');

/** The same scripts run on mounts in test/guest. */
describe('the examples, through ollie-9p', () => {
  const ollie = new Ollie();
  const example = (name: string, ...words: readonly string[]): Promise<Outcome> =>
    ollie.sh(`sh ${EXAMPLES}/${name} '' ${words.map((word) => `'${word}'`).join(' ')}`);

  beforeAll(() => ollie.start());
  afterAll(() => ollie.destroy());

  it('run a session from its start to its answer', async () => {
    const { code, stdout, stderr } = await example('session.sh', 'first', 'run pwd');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`user: run pwd\n-> shell({"cmd":"pwd"})\n<- shell 1 lines\n[scripted] done:\n${ollie.project}\nidle\n`);
  });

  it('give all agents a task and wait for all of them, also when they are through before the waiting begins', async () => {
    await ollie.sh('for a in one two; do echo name=$a | ollie-9p write session/first/agent/new; done');
    const agents = ['coding', 'one', 'two'];
    for (const pause of ['', 'sleep 2']) {
      const task = `run sleep 0.3; echo fanned ${pause}`;
      const { code } = await ollie.sh(`sh ${EXAMPLES}/fan-out.sh '' '${task}'\n${pause}\nsh ${EXAMPLES}/wait-all.sh`);
      expect(code).toBe(0);
      const logs = await Promise.all(agents.map((agent) => ollie.sh(`ollie-9p read session/first/agent/${agent}/log | tail -n 1`)));
      expect(logs.map(({ stdout }) => stdout.trim())).toEqual(agents.map(() => `fanned ${pause}`.trim()));
    }
  });

  it('find plans', async () => {
    await ollie.sh("printf -- '- [x] a\\n- [ ] TODO: b\\n' | ollie-9p write session/first/agent/one/plan");
    expect(await example('plans.sh')).toEqual({ code: 0, stdout: 'session/first/agent/one/plan:- [ ] TODO: b\n', stderr: '' });
    expect((await example('plans.sh', '[x]')).stdout).toContain('session/first/agent/one/plan:- [x] a\n');
  });

  it('show what all agents used', async () => {
    const { stdout } = await example('costs.sh');
    expect(stdout.match(/^turns=/gm)).toHaveLength(3);
  });

  describe('with what changes in a repository', () => {
    const agent = 'session/first/agent/obs';
    const chat = async (): Promise<string> => (await ollie.sh(`ollie-9p read ${agent}/log`)).stdout;
    const change = (text: string): Promise<Outcome> => ollie.sh(`echo '${text}' >> file`);

    beforeAll(async () => {
      const { code, stderr } = await ollie.sh(
        `git init -q && echo a > file && git add file && git -c user.name=x -c user.email=x commit -qm x
        echo 'name=obs agent=observer' | ollie-9p rdwr session/first/agent/new`,
      );
      if (code !== 0) throw new Error(stderr);
    });

    it('feed an agent every few seconds', async () => {
      const feeding = ollie.sh(`timeout 4 sh ${EXAMPLES}/feed-diff.sh '' ${agent} 0.5`);
      await change('told by the clock');
      await until('the change has come', async () => (await chat()).includes('+told by the clock'));
      expect((await ollie.sh(`ollie-9p read ${agent}/feed`)).stdout).toContain('\n+told by the clock\n');
      await feeding;
      expect((await chat()).match(/\+told by the clock/g)).toHaveLength(1);
    });

    it('feed an agent when another has done something', async () => {
      await change('told by a turn');
      const observing = ollie.sh(`timeout 6 sh ${EXAMPLES}/observe.sh '' session/first/agent/coding ${agent}`);
      await until('the change has come', async () => {
        await ollie.sh("echo 'say done' | ollie-9p write session/first/agent/coding/prompt; sleep 0.5");
        return (await chat()).includes('+told by a turn');
      });
      await observing;
      expect(await chat()).toContain('+told by a turn');
    });
  });

  it('show a chat without the markers of its blocks', async () => {
    const { stdout } = await example('plain-chat.sh', 'session/first/agent/coding');
    expect(stdout).toContain(`run pwd\n`);
    expect(stdout).toContain(`\n${ollie.project}\n`);
    expect(stdout).not.toContain('[[[');
  });
});
