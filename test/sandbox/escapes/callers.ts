import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { packageRoot } from '#config';
import { SupervisorLauncher } from '#exec';
import type { HelperReport, RunOrder, SandboxPolicy } from '#sandbox';
import type { Setting } from './attempt.js';
import type { Scene } from './scene.js';

/** What came of one call of `reach`. */
export interface Told {
  readonly output: string;
  readonly reports: readonly HelperReport[];
}

/** Calls `reach` with these lines. */
export type Caller = (lines: readonly string[]) => Promise<Told>;

/** `outside`: without any sandbox, to see that an attempt is worth something. `supervised`: in a cell that serves many calls, as under toolsrv. */
export type Walls = 'fallback' | 'cell' | 'supervised' | 'outside';

export function callerFor(scene: Scene, walls: Walls, setting: Setting): Caller {
  if (setting === 'staged' && walls === 'outside') return onStage(scene);
  return (lines) => {
    const argv = [reachFor(scene, setting), '-', ...lines];
    const order = { ...orderFor(scene, walls, setting), argv };
    return walls === 'supervised' ? supervised(scene, order) : byHelper(scene, order, setting);
  };
}

/** In the installation there is nothing that is ours to run. */
function reachFor(scene: Scene, setting: Setting): string {
  return setting === 'checkout' ? scene.programs.copy('reach', scene.world.tmp) : `${scene.world.cwd}/reach`;
}

function orderFor(scene: Scene, walls: Walls, setting: Setting): Omit<RunOrder, 'argv'> {
  const policy = walls === 'outside' ? undefined : policyFor(scene, setting);
  const cwd = setting === 'checkout' ? packageRoot() : scene.world.cwd;
  return { policy, cell: walls === 'cell' || walls === 'supervised', cwd, env: scene.environment(policy), graceMs: 2000 };
}

function policyFor(scene: Scene, setting: Setting): SandboxPolicy {
  if (setting === 'checkout') return scene.world.load(packageRoot());
  if (setting === 'twice') return scene.policy(true, `${scene.world.cwd}/part`);
  return scene.policy(setting !== 'offline');
}

async function byHelper(scene: Scene, order: RunOrder, setting: Setting): Promise<Told> {
  const through = setting === 'staged' ? stageOf(scene).join(' ') : `exec <${scene.file('stdin')};`;
  const { text: output, reports } = await scene.world.run(order.argv, order, { through });
  return { output, reports };
}

async function supervised(scene: Scene, order: RunOrder): Promise<Told> {
  const launcher = new SupervisorLauncher(scene.world.helper);
  let output = '';
  try {
    if (!(await launcher.whenReady(order))) throw new Error('the cell cannot be made');
    const listener = { started: () => undefined, output: (chunk: Uint8Array) => void (output += Buffer.from(chunk).toString()) };
    await launcher.launch(order, undefined, listener).ended;
  } finally {
    await launcher.close();
  }
  return { output, reports: [] };
}

const stageOf = (scene: Scene): readonly string[] => [scene.programs.path('stage'), scene.file('staged'), scene.closed('staged')];

function onStage(scene: Scene): Caller {
  return async (lines) => {
    const { uid } = scene.world;
    const [stage = '', ...words] = stageOf(scene);
    const who = uid === process.getuid?.() ? {} : { uid, gid: uid };
    const argv = [...words, reachFor(scene, 'staged'), '-', ...lines];
    const child = spawn(stage, argv, { ...who, env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return { output, reports: [] };
  };
}
