import { readdirSync, readFileSync } from 'node:fs';
import { errnoOf } from '#config';
import type { Running } from './run-helper.js';
import { identities, World } from './world.js';

/** Storms end by themselves after 20 s, so an end before that is the helper's work. */
const STORM_MS = 20_000;

describe.each(identities)('a storm of processes that a tool makes as %s', (_name, uid) => {
  let world: World;
  let storm: string;
  beforeAll(() => {
    world = new World(uid);
    storm = world.compile('storm');
  });
  afterAll(() => world.remove());

  async function quit(running: Running): Promise<number> {
    await running.until(/ready/);
    const begun = performance.now();
    running.child.kill('SIGQUIT');
    await running.outcome;
    return performance.now() - begun;
  }

  it.each([
    ['chain', 2],
    ['chain', 60],
    ['parents', 4],
  ])('%s of %i: ends with SIGQUIT, whole', async (kind, count) => {
    const waited = await quit(world.start([storm, kind, String(count)]));
    expect(waited).toBeLessThan(STORM_MS / 2);
    expect(alive(storm)).toBe(0);
  });

  it.each([
    ['daemons', 300, 300],
    ['stopped', 20, 20],
    ['nested', 300, 256],
    ['descriptors', 10_000, 1],
    ['vfork', 1, 2],
  ])('%s of %i: ends with its tool, whole', async (kind, count, left) => {
    const { last } = await world.run([storm, kind, String(count)]);
    expect(last).toEqual({ type: 'exit', code: 0, left });
    expect(alive(storm)).toBe(0);
  });
});

/** Processes, zombies of others aside, whose command is this one. */
function alive(program: string): number {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).startsWith(program)).length;
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ESRCH') return '';
    throw error;
  }
}
