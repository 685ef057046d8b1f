import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Paths } from '#config';
import { HelperLauncher, SupervisorLauncher, type ProcessLauncher } from '#exec';
import { findHelper, loadPolicy, type RunOrder } from '#sandbox';

const home = mkdtempSync(join(tmpdir(), 'ollie-bench-'));
const cwd = join(home, 'work');
mkdirSync(cwd);
process.once('exit', () => rmSync(home, { recursive: true }));
const env = { PATH: '/usr/bin:/bin', HOME: home };

/** `true` under the packaged policy, in a cell or not, or under none. */
export function orderOf(how: 'cell' | 'fallback' | 'open'): RunOrder {
  const paths = Paths.from({ ...process.env, HOME: home });
  const policy = how !== 'open' ? loadPolicy(paths, { ...env, CWD: cwd, TMPDIR: cwd }) : undefined;
  return { policy, cell: how === 'cell', argv: ['/bin/true'], cwd, env, graceMs: 2000 };
}

export const single = new HelperLauncher(findHelper());
export const supervised = new SupervisorLauncher(findHelper());

/** One run to its end; an end that is not exit code 0 is an error. */
export async function runOrder(launcher: ProcessLauncher, order: RunOrder): Promise<void> {
  const end = await launcher.launch(order, undefined, { started: () => undefined, output: () => undefined }).ended;
  if (end.type !== 'exit' || end.code !== 0) throw new Error(JSON.stringify(end));
}
