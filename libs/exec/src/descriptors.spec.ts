import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { errnoOf } from '#config';
import { findHelper, type RunOrder } from '#sandbox';
import { HelperLauncher } from './helper-launcher.js';
import type { ProcessLauncher } from './process-launcher.js';
import { SupervisorLauncher } from './supervisor-launcher.js';

const ROOM = 60;
const order: RunOrder = { policy: undefined, cell: false, argv: ['true'], cwd: '/', env: { PATH: '/usr/bin:/bin' }, graceMs: 100 };
const listener = { started: () => undefined, output: () => undefined };

/** `soft`: `N:`, the hard limit stays. */
function limit(soft: string): string {
  const { stdout, status } = spawnSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}`], { encoding: 'utf8' });
  if (status !== 0) throw new Error('prlimit of util-linux is missing');
  return stdout;
}

function softLimit(): string {
  return spawnSync('prlimit', ['--nofile', '--noheadings', '--output=SOFT'], { encoding: 'utf8' }).stdout.trim();
}

/** Takes every descriptor that is left. */
function exhaust(): readonly number[] {
  const held: number[] = [];
  try {
    for (;;) held.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if (errnoOf(error) !== 'EMFILE') throw error;
    return held;
  }
}

describe('a server without descriptors', () => {
  const usual = softLimit();
  const highest = openSync('/dev/null', 'r');
  closeSync(highest);
  afterEach(() => limit(`${usual}:`));

  test.each<readonly [string, (helper: string | undefined) => ProcessLauncher]>([
    ['a helper of its own', (helper) => new HelperLauncher(helper)],
    ['a supervisor', (helper) => new SupervisorLauncher(helper)],
  ])('fails the run through %s, and lives to start another', async (_what, make) => {
    const launcher = make(findHelper());
    limit(`${highest + ROOM}:`);
    const held = exhaust();
    const run = launcher.launch(order, undefined, listener);
    expect(await run.ended).toMatchObject({ type: 'failed', step: 'helper', code: 125 });
    for (const descriptor of held) closeSync(descriptor);
    limit(`${usual}:`);
    expect(await launcher.launch(order, undefined, listener).ended).toEqual({ type: 'exit', code: 0, left: 0 });
    await launcher.close();
  });

  test('says so, and what it must be, where the limit is too low for a supervisor', async () => {
    const launcher = new SupervisorLauncher(findHelper());
    await launcher.whenReady();
    spawnSync('prlimit', ['--pid', String(launcher.pid), '--nofile=40:40']);
    // The first one may have been made before.
    await launcher.launch(order, undefined, listener).ended;
    for (let round = 0; round < 2; round += 1)
      expect(await launcher.launch(order, undefined, listener).ended).toEqual({
        type: 'failed',
        step: 'descriptors',
        message: 'the limit of open files, 40, is too low (ulimit -n): it must be 128 at least',
        code: 125,
      });
    await launcher.close();
  });
});
