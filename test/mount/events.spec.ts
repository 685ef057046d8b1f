import { join } from 'node:path';
import { Ollie } from '../e2e/ollie.js';
import { describeMount } from './describe-mount.js';

jest.setTimeout(60_000);

describeMount('events and approvals on a mount', () => {
  const ollie = new Ollie();
  const directory = join(ollie.folder, 'mnt');
  const sh = async (script: string): Promise<string> => (await ollie.sh(`cd ${directory}; ${script}`)).stdout;

  beforeAll(() => ollie.start({ args: ['--mount', directory] }));
  afterAll(() => ollie.destroy());

  it('are read by offset, from the start, from the end and from a saved place', async () => {
    await sh('for n in a b c; do echo name=$n > session/new; done');
    const names = (text: string): readonly string[] =>
      [...text.matchAll(/"session\.created".*"data":\{"name":"(\w+)"\}/g)].map(([, name]) => name ?? '');
    expect(names(await sh('head -n 3 events'))).toEqual(['a', 'b', 'c']);
    expect(names(await sh('timeout 1 tail -n 1 events'))).toEqual(['c']);
    expect(names(await sh('at=$(head -n 2 events | wc -c); dd if=events iflag=skip_bytes skip=$at bs=4096 count=1 2>/dev/null'))).toEqual([
      'c',
    ]);
    expect(names(await sh('timeout 2 tail -n 0 -f events & sleep 0.5; echo name=d > session/new; wait'))).toEqual(['d']);
  });

  it('wake a shell that waits for them, each time with what is new', async () => {
    const script = '(cat eventwait; cat eventwait) & sleep 0.3; echo name=e > session/new; sleep 0.3; echo name=f > session/new; wait';
    expect((await sh(script)).match(/"name":"[a-z]"/g)).toEqual(['"name":"e"', '"name":"f"']);
  });

  it('tell of what a mount keeps silent about', async () => {
    await sh('echo nonsense > approvals/resolve');
    expect(await sh('timeout 1 tail -n 1 events')).toContain(
      '"topic":"error","data":{"text":"/approvals/resolve: illegal argument: not JSON',
    );
  });

  it('take a question and its answer', async () => {
    await sh('echo name=asking > session/s/agent/new 2>/dev/null; echo name=s > session/new; echo name=asking > session/s/agent/new');
    const script = `
      (read -r line < approvals/pending; id=\${line#*:\\"}; echo "{\\"id\\":\\"\${id%%\\"*}\\",\\"answer\\":\\"blue\\"}" > approvals/resolve) &
      sleep 0.3
      exec 3<> session/s/agent/asking/ctl; echo 'ask Which colour?' >&3; cat <&3; wait; cat approvals/log`;
    const [answer, log] = (await sh(script)).split('\n');
    expect(answer).toBe('blue');
    expect(JSON.parse(log ?? '')).toMatchObject({ kind: 'question', decision: 'approved', command: 'Which colour?' });
    expect(await sh('stat -c "%a %n" approvals approvals/*')).toBe(
      '550 approvals\n400 approvals/log\n400 approvals/pending\n200 approvals/resolve\n',
    );
  });
});
