import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunOrder } from '#sandbox';
import type { ProcessLauncher, Run, RunEnd, RunStart } from './process-launcher.js';

export interface Watched {
  readonly run: Run;
  readonly ended: Promise<RunEnd>;
  readonly output: () => string;
  readonly started: () => RunStart | undefined;
}

/** Starts a script of sh and watches it. */
export function watch(launcher: ProcessLauncher, script: string, more: Partial<RunOrder> = {}, stdin?: string): Watched {
  let text = '';
  let start: RunStart | undefined;
  const order: RunOrder = {
    policy: undefined,
    argv: ['sh', '-c', script],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    graceMs: 300,
    ...more,
  };
  const run = launcher.launch(order, stdin === undefined ? undefined : Buffer.from(stdin), {
    started: (begun) => (start = begun),
    output: (chunk) => (text += Buffer.from(chunk).toString('utf8')),
  });
  return { run, ended: run.ended, output: () => text, started: () => start };
}

export async function until(test: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !test(); i += 1) await sleep(20);
  if (!test()) throw new Error('it never came');
}

export const isAlive = (pid: number | string): boolean => existsSync(`/proc/${pid}`);
export const parentOf = (pid: number): number => Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

type Launch = (script: string, more?: Partial<RunOrder>, stdin?: string) => Watched;

/** What every launcher does, whatever it starts processes with. */
export function describeLauncher(launcher: () => ProcessLauncher): void {
  const launch: Launch = (script, more, stdin) => watch(launcher(), script, more, stdin);
  describeRuns(launch);
  describeEnds(launch);
}

function describeRuns(launch: Launch): void {
  test('gives the output of both streams in order, and the exit code', async () => {
    const { ended, output, started } = launch('echo one; echo two >&2; echo three; exit 7');
    expect(await ended).toEqual({ type: 'exit', code: 7, left: 0 });
    expect(output()).toBe('one\ntwo\nthree\n');
    expect(started()).toMatchObject({ sandbox: 'none' });
  });

  test('feeds standard input, and an absent one is empty', async () => {
    const fed = launch('cat', {}, 'hello');
    await fed.ended;
    expect(fed.output()).toBe('hello');
    expect(await launch('cat').ended).toEqual({ type: 'exit', code: 0, left: 0 });
  });

  test('a tool that reads none of a large input is no failure', async () => {
    expect(await launch('exit 4', {}, 'x'.repeat(1_000_000)).ended).toEqual({ type: 'exit', code: 4, left: 0 });
  });

  test('the environment is the order’s and nothing else', async () => {
    const { ended, output } = launch('env', { env: { PATH: '/usr/bin:/bin', ONLY: 'this' } });
    await ended;
    expect(output()).toContain('ONLY=this');
    expect(output()).not.toMatch(/^(HOME|NODE|JEST)/m);
  });

  test('a missing program fails without running, with the shell’s code and a sentence', async () => {
    const { ended, started } = launch('', { argv: ['surely-not-installed'] });
    expect(await ended).toMatchObject({ type: 'failed', step: 'exec', code: 127 });
    expect(JSON.stringify(await ended)).toContain('surely-not-installed');
    expect(started()).toBeUndefined();
  });
}

function describeEnds(launch: Launch): void {
  test('terminate ends the whole tree, also what left the group and what ignores TERM', async () => {
    const { run, ended, output } = launch("trap '' TERM; setsid sleep 50 & echo $!; sleep 60 & echo $!; echo ready; wait; wait; wait");
    await until(() => output().includes('ready'));
    run.terminate();
    const end = await ended;
    expect(end.type === 'signal' || end.type === 'exit').toBe(true);
    const pids = output().match(/^\d+$/gm) ?? [];
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('kill ends it at once', async () => {
    const { run, ended, output } = launch("trap '' TERM; echo ready; sleep 60", { graceMs: 60_000 });
    await until(() => output().includes('ready'));
    run.kill();
    expect(await ended).toEqual({ type: 'signal', signal: 9, left: 0 });
  });

  test('a signal reaches the tool’s group; before the start and after the end it is nothing', async () => {
    const { run, ended, output } = launch("trap 'echo got it; exit 3' USR1; echo ready; while :; do sleep 0.05; done");
    run.signal(10);
    await until(() => output().includes('ready'));
    run.signal(10);
    expect(await ended).toEqual({ type: 'exit', code: 3, left: 0 });
    expect(output()).toContain('got it');
    run.signal(10);
    run.terminate();
  });

  test('the result is due at the exit, not when a left-over lets go of the output', async () => {
    const begin = performance.now();
    const { ended, output } = launch('sleep 30 & echo $!; exit 0');
    expect(await ended).toEqual({ type: 'exit', code: 0, left: 1 });
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(isAlive(output().trim())).toBe(false);
  });

  test('a helper that somebody kills leaves nothing of its run, in whatever session', async () => {
    const script = '(setsid sleep 50 & echo $!; setsid sh -c "echo \\$\\$; sleep 51; :" & wait) & sleep 52 & echo $!; echo ready; wait';
    const bystander = launch('echo here; sleep 53');
    const { ended, output, started } = launch(script);
    await until(() => output().match(/^\d+$/gm)?.length === 3 && output().includes('ready') && bystander.output() !== '');
    process.kill(parentOf(started()?.pid ?? 0), 'SIGKILL');
    expect(await ended).toEqual({ type: 'signal', signal: 9, left: 0 });
    const pids = output().match(/^\d+$/gm) ?? [];
    await until(() => !pids.some(isAlive));
    expect(isAlive(String(bystander.started()?.pid))).toBe(true);
    bystander.run.kill();
    await bystander.ended;
  });

  test('a working directory that does not exist is a failure that names it', async () => {
    const { ended } = launch('true', { cwd: '/surely/not' });
    expect(await ended).toMatchObject({ type: 'failed' });
    expect(JSON.stringify(await ended)).toContain('/surely/not');
  });
}
