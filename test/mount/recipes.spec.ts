import { join } from 'node:path';
import { Ollie, until, type Outcome } from '../e2e/ollie.js';
import { root } from '../support/run.js';
import { describeMount } from './describe-mount.js';

jest.setTimeout(120_000);

const SESSION = 'session/myproj';
const AGENTS = ['coder', 'coding', 'obs'].map((name) => `${SESSION}/agent/${name}`);
const RECIPES = join(root, 'examples/recipes.sh');
const HELP = '[scripted] I am a script, not a model. I understand:';

describeMount('the recipes, as they are typed', () => {
  const ollie = new Ollie();
  const directory = join(ollie.folder, 'mnt');
  const onMount = (script: string): Promise<Outcome> => ollie.sh(`cd ${directory}; ${script}`);
  const recipe = (name: string): Promise<Outcome> => onMount(`timeout 30 sh ${RECIPES} ${name}`);
  const inProject = (script: string): Promise<Outcome> => ollie.sh(`export OLLIE=${directory}; ${script}`);

  beforeAll(async () => {
    await ollie.start({ args: ['--mount', directory] });
    await ollie.sh('git init -q; echo a > file; git add file; git -c user.name=x -c user.email=x commit -qm x');
  });
  afterAll(() => ollie.destroy());

  it.each([
    ['session-mount', onMount],
    ['session', inProject],
  ])('%s: a session, an agent, a prompt, and its answer', async (name, where) => {
    const { code, stdout, stderr } = await where(`timeout 30 sh ${RECIPES} ${name}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.startsWith(`user: fix the bug in main.go\n${HELP}\n`)).toBe(true);
    expect(stdout.endsWith('\nidle\n')).toBe(true);
    if (name === 'session-mount') await onMount(`rmdir ${SESSION}`);
  });

  it('sub-agent and generate: an answer on the descriptor of the question', async () => {
    expect((await inProject(`sh ${RECIPES} ls`)).stdout).toContain('myproj\n');
    expect((await inProject(`sh ${RECIPES} sub-agent`)).stdout).toContain(HELP);
    expect((await inProject(`sh ${RECIPES} generate`)).stdout.split(HELP)).toHaveLength(3);
    expect((await onMount(`ls ${SESSION}/agent`)).stdout).toBe('coding\nidx\nnew\n');
  });

  it('fan-out and wait-all: a turn for each agent, and all of them over', async () => {
    await onMount(`echo name=coder > ${SESSION}/agent/new; echo 'name=obs agent=observer' > ${SESSION}/agent/new`);
    const { code, stdout: said, stderr } = await onMount(`sh ${RECIPES} fan-out && timeout 30 sh ${RECIPES} wait-all`);
    expect({ code, said, stderr }).toEqual({ code: 0, said: '', stderr: '' });
    const { stdout } = await onMount('grep -c "^user: run tests" session/*/agent/*/chat; grep -h ^state= session/*/agent/*/cfg');
    expect(stdout).toBe([...AGENTS.map((agent) => `${agent}/chat:1\n`), ...AGENTS.map(() => 'state=idle\n')].join(''));
  });

  it('plans: every line of every plan that has the word', async () => {
    await onMount(`printf -- '- [x] a\\n- [ ] TODO: b\\n' > ${SESSION}/agent/coder/plan; echo TODO > ${SESSION}/agent/obs/plan`);
    expect((await recipe('plans')).stdout).toBe(`${SESSION}/agent/coder/plan:- [ ] TODO: b\n${SESSION}/agent/obs/plan:TODO\n`);
  });

  it('costs: what each agent has used', async () => {
    const { stdout } = await recipe('costs');
    for (const key of ['totalInputTokens', 'totalOutputTokens', 'contextTokens', 'turns'])
      expect([key, stdout.match(new RegExp(`^${key}=\\d+$`, 'gm'))]).toEqual([key, AGENTS.map(() => expect.anything() as unknown)]);
  });

  it('plain-chat: what was said, without markers', async () => {
    const chat = (await onMount(`cat ${SESSION}/agent/coding/chat`)).stdout;
    expect((await recipe('plain-chat')).stdout).toBe(chat);
    const { stdout } = await recipe('plain-chat-raw');
    expect(stdout).toContain(`fix the bug in main.go\n${HELP}\n`);
    expect(stdout).not.toContain('[[[');
  });

  describe.each(['feed', 'feed-mount', 'observe', 'observe-mount'])('%s', (name) => {
    const stop = join(ollie.folder, `stop-${name}`);
    const timesTold = async (text: string): Promise<number> =>
      Number((await onMount(`grep -c '^+${name}-${text}$' ${SESSION}/agent/obs/chat`)).stdout);

    /** With a turn of the agent that is watched, long enough for two messages; the clock of `feed` needs none. */
    async function comes(text: string): Promise<boolean> {
      const agent = `${SESSION}/agent/coder`;
      if (name.startsWith('observe')) await onMount(`echo run sleep 0.6 > ${agent}/prompt; cat ${agent}/statewait; sleep 0.6`);
      return (await timesTold(text)) > 0;
    }

    it('tells the observer of each change once, while it goes on', async () => {
      await inProject(`git checkout -q file; echo ${name}-first >> file`);
      const going = inProject(
        `timeout 30 sh ${RECIPES} ${name} & until [ -e ${stop} ]; do sleep 0.1; done; sleep 0.5; kill $!; wait $!; echo ended`,
      );
      await until('the first change has come', () => comes('first'));
      await inProject(`echo ${name}-second >> file`);
      await until('the second change has come', () => comes('second'));
      await inProject(`touch ${stop}`);
      expect(await going).toMatchObject({ stdout: 'ended\n' });
      expect(await Promise.all(['first', 'second'].map(timesTold))).toEqual([2, 1]); // the second difference has both
    });
  });
});
