import { SubCommand } from 'nest-commander';
import { runPassthrough, type RunEnd } from '#exec';
import { UsageError } from '#lifecycle';
import { explainCommand, findHelper, probe, toolEnvironment, withProgram, type RunOrder } from '#sandbox';
import { programSearchPath } from '#tools';
import { ServerWorld } from '../server-world.js';
import { forwardSignals } from './forward-signals.js';
import { PolicySubcommand } from './policy-subcommand.js';
import { inSandboxPlace, type PolicyFlags, type SandboxPlace } from './sandbox-place.js';

const GRACE_MS = 2_000;
const PROBE_MS = 10_000;

@SubCommand({
  name: 'run',
  arguments: '<command...>',
  description: 'run a command under a policy: toolsrv sandbox run --policy FILE [--cwd DIR] -- COMMAND ...',
})
export class RunCommand extends PolicySubcommand {
  constructor(private readonly world: ServerWorld) {
    super();
  }

  async run(argv: string[], flags: PolicyFlags): Promise<void> {
    process.exitCode = await inSandboxPlace(this.world, flags, (place) => runIn(place, argv));
  }
}

async function runIn(place: SandboxPlace, argv: readonly string[]): Promise<number> {
  const helper = findHelper();
  if (helper === undefined) throw new UsageError('the sandbox helper is not built: npm run setup');
  const { cells } = await probe(helper, AbortSignal.timeout(PROBE_MS));
  const order = orderOf(place, argv, cells);
  const run = runPassthrough(helper, order, canRunShell(place, order) ? place.tmp : undefined);
  const stop = forwardSignals((number) => run.signal(number));
  try {
    return exitCodeOf(await run.ended);
  } finally {
    stop();
  }
}

function orderOf({ env, cwd, tmp, policy }: SandboxPlace, argv: readonly string[], hasCells: boolean): RunOrder {
  const path = programSearchPath(env['PATH']);
  return {
    policy: withProgram(policy, argv[0] ?? '', { cwd, path }),
    cell: policy.cell && hasCells,
    argv,
    cwd,
    env: { ...toolEnvironment(policy, env), PATH: path, TMPDIR: tmp, PWD: cwd },
    graceMs: GRACE_MS,
  };
}

/** The shell keeps standard error apart; a policy that does not let it run gets both streams in one. */
function canRunShell({ policy, cwd }: SandboxPlace, { env }: RunOrder): boolean {
  const findings = explainCommand({ ...policy, ldd: false, addExec: false }, ['sh'], { cwd, path: env['PATH'] ?? '' });
  const isAllowed = findings.every(({ what, denied }) => what === 'working directory' || denied === undefined);
  if (!isAllowed) process.stderr.write('toolsrv: the policy does not let sh run, so standard error goes to standard output\n');
  return isAllowed;
}

function exitCodeOf(end: RunEnd): number {
  if (end.type === 'signal') return 128 + end.signal;
  if (end.type === 'failed') process.stderr.write(`toolsrv: ${end.step}: ${end.message}\n`);
  return end.code;
}
