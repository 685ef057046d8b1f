import { readdirSync, readFileSync } from 'node:fs';
import { errnoOf } from '#config';
import type { Running } from './run-helper.js';
import { identities, World } from './world.js';

/** Storms end by themselves after 20 s, so an end before that is the helper's work. */
const STORM_MS = 20_000;

/** How many of a kind; `left`: how many of them the helper finds alive when its tool has ended. */
export interface Storms {
  readonly moving: readonly (readonly [kind: string, count: number])[];
  readonly lasting: readonly (readonly [kind: string, count: number, left: number])[];
}

/** Makes storms of processes (fixtures/storm.c) under the packaged policy and holds the helper to ending them. */
export function describeStorms({ moving, lasting }: Storms): void {
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

    it.each(moving)('%s of %i: ends with SIGQUIT, whole', async (kind, count) => {
      expect(await quit(world.start([storm, kind, String(count)]))).toBeLessThan(STORM_MS / 2);
      expect(alive(storm)).toBe(0);
    });

    it.each(lasting)('%s of %i: ends with its tool, whole', async (kind, count, left) => {
      const { last } = await world.run([storm, kind, String(count)]);
      expect(last).toEqual({ type: 'exit', code: 0, left });
      expect(alive(storm)).toBe(0);
    });
  });
}

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
