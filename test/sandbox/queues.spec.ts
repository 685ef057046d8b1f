import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SupervisorLauncher } from '#exec';
import { findHelper, type RunOrder } from '#sandbox';
import { describeModes, hasCells } from './modes.js';
import { reachingWorld } from './reaching-world.js';
import { identities } from './world.js';

const ALL = 'segment semaphore messages queue';
const KEY = '7341';
const describeCells = hasCells() ? describe : describe.skip;

describe.each(identities)('segments, semaphores and queues of a tool that runs as %s', (_name, uid) => {
  const at = reachingWorld(uid);

  describeModes('are what a cell has of its own', ({ cell }) => {
    it('and are absent where they would be shared', async () => {
      const script = `${at.reach} leave-queues ${KEY}; ${at.reach} - "0 find-queues ${KEY}"`;
      const { text } = await at.world.run(['sh', '-c', script], { cell });
      expect(text).toBe(cell ? `reached\n0\treached\t${ALL}\n` : 'ENOSYS\n0\treached\t\n');
    });

    it('and of which a later call knows nothing', async () => {
      await at.world.run([at.reach, 'leave-queues', KEY], { cell });
      expect((await at.world.run([at.reach, '-', `0 find-queues ${KEY}`], { cell })).text).toBe('0\treached\t\n');
    });
  });

  describeCells('under a policy that grants all of /dev', () => {
    it('are its own all the same', async () => {
      const grants = [...at.world.policy.grants, { path: '/dev', access: 'rw' as const, origin: 'test' }];
      const change = { cell: true, policy: { ...at.world.policy, grants } };
      // Where the system has no place for queues, one's own is closed by Landlock.
      const [before, text] = [readdirSync('/dev'), (await at.world.run([at.reach, 'leave-queues', KEY], change)).text];
      expect(text).toBe(before.includes('mqueue') ? 'reached\n' : 'EACCES\n');
      expect(readdirSync('/dev')).toEqual(before);
      expect((await at.world.run([at.reach, '-', `0 find-queues ${KEY}`], { policy: undefined })).text).toBe('0\treached\t\n');
    });
  });
});

describeCells('what a call leaves in its cell', () => {
  const root = mkdtempSync('/tmp/ollie-queues-');
  let launcher: SupervisorLauncher;
  const at = reachingWorld(process.getuid?.() ?? 0);
  beforeEach(() => (launcher = new SupervisorLauncher(findHelper())));
  afterEach(() => launcher.close());
  afterAll(() => rmSync(root, { recursive: true }));

  /** `tmp` is what tells the cells of two sessions apart. */
  async function call(way: string, change: Partial<RunOrder> = {}): Promise<string> {
    const order = { ...at.world.order([at.reach, '-', `0 ${way} ${KEY}`]), cell: true, ...change };
    let text = '';
    await launcher.whenReady(order);
    const listener = { started: () => undefined, output: (chunk: Uint8Array) => void (text += Buffer.from(chunk).toString()) };
    await launcher.launch(order, undefined, listener).ended;
    return text.trim().split('\t').slice(1).join(' ');
  }

  it('is there for its next call, and for no other session', async () => {
    const [mine, other] = ['mine', 'other'].map((name) => ({ tmp: mkdtempSync(join(root, name)) }));
    expect(await call('leave-queues', mine)).toBe('reached');
    expect(await call('find-queues', mine)).toBe(`reached ${ALL}`);
    expect(await call('find-queues', other)).toBe('reached');
  });

  it('goes with the cell', async () => {
    expect(await call('leave-queues')).toBe('reached');
    await launcher.close();
    launcher = new SupervisorLauncher(findHelper());
    expect(await call('find-queues')).toBe('reached');
  });
});
