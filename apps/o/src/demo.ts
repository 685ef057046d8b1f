import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, packageRoot } from '#config';
import { CommandError, report, type World } from '#ninep-cli';
import { closingWords, costLine, sandboxLine } from './demo/closing-words.js';
import { chosenBackend } from './demo/chosen-backend.js';
import { watchRepair, type Repair } from './demo/conversation.js';
import { Daemon } from './demo/daemon.js';
import { demoEnvironment } from './demo/demo-environment.js';
import { requireLandlock } from './demo/landlock.js';
import { parseDemoLine, USAGE } from './demo/parse-demo-line.js';
import { projectDiff } from './demo/project-diff.js';
import { testPasses } from './demo/project-test.js';
import { Workspace } from './demo/workspace.js';

/** `o demo`: gives the exit code. `argv` is what follows the word. */
export async function demo(argv: readonly string[], world: World, signal: AbortSignal): Promise<number> {
  try {
    if (parseDemoLine(argv) === 'run') return await play(world, signal);
    await world.stdout.write(USAGE);
    return 0;
  } catch (error) {
    signal.throwIfAborted();
    return await report('o demo', error, world);
  }
}

/**
 * Lets an agent repair examples/demo-project in a folder of its own, shows it at work, and gives 0 only when the project's test
 * failed before and passes after. Whatever happens, nothing keeps running and the folder is removed.
 */
async function play(world: World, signal: AbortSignal): Promise<number> {
  try {
    chosenBackend(world.env);
    await inWorkspace(world, signal);
    return 0;
  } catch (error) {
    signal.throwIfAborted();
    await world.stderr.write(`demo: ${messageOf(error)}\n`);
    return 1;
  }
}

async function inWorkspace(world: World, signal: AbortSignal): Promise<void> {
  const workspace = new Workspace(join(packageRoot(), 'examples/demo-project'));
  try {
    await repairIn(workspace, world, signal);
  } finally {
    workspace.remove();
  }
}

async function repairIn(workspace: Workspace, world: World, signal: AbortSignal): Promise<void> {
  const { project, original } = workspace;
  const { stdout } = world;
  const landlock = await requireLandlock(signal);
  if (await testPasses(project, signal)) throw new CommandError('the test of the demo project passes before anything was done');
  await stdout.write(`A small project in ${project} has a failing test. An agent shall repair it.\n\n`);
  const repair = await repairUnderDaemon(workspace, world, signal);
  await stdout.write(`\n${projectDiff(original, project)}\n${costLine(repair)}\n${sandboxLine(repair, landlock)}\n`);
  if (!(await testPasses(project, signal))) throw new CommandError('the test still fails: the agent has not repaired the project');
  await stdout.write(`The test failed before and passes now.\n\n${closingWords()}`);
}

async function repairUnderDaemon(workspace: Workspace, { env, stdout }: World, signal: AbortSignal): Promise<Repair> {
  const { project, namespace } = workspace;
  const daemon = await Daemon.start(demoEnvironment(env, workspace), project);
  try {
    return await watchRepair({ socket: join(namespace, 'ollie'), cwd: project, prompt: promptText(), output: stdout }, signal);
  } finally {
    await daemon.stop();
  }
}

function promptText(): string {
  return readFileSync(join(packageRoot(), 'examples/demo-prompt.md'), 'utf8').trim();
}
