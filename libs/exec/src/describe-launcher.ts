import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '#config';
import type { SandboxReach } from '#model';
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
    cell: false,
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

/** A duration that no other process sleeps for: in a cell processes have other numbers than outside. */
const duration = (): string => `60.${randomInt(1e12)}`;
const sleepers = (time: string): number => readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && sleepsFor(pid, time)).length;

function sleepsFor(pid: string, time: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') === `sleep\0${time}\0`;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false; // it ended meanwhile
  }
}

type Launch = (script: string, more?: Partial<RunOrder>, stdin?: string) => Watched;

/** What every launcher does, whatever it starts processes with, and whatever `usual` changes about each run. */
export function describeLauncher(launcher: () => ProcessLauncher, usual: Partial<RunOrder> = {}): void {
  const launch: Launch = (script, more, stdin) => watch(launcher(), script, { ...usual, ...more }, stdin);
  describeRuns(launch, usual.cell === true ? 'full' : 'none');
  describeEnds(launch);
}

function describeRuns(launch: Launch, reach: SandboxReach): void {
  test('gives the output of both streams in order, and the exit code', async () => {
    const { ended, output, started } = launch('echo one; echo two >&2; echo three; exit 7');
    expect(await ended).toEqual({ type: 'exit', code: 7, left: 0 });
    expect(output()).toBe('one\ntwo\nthree\n');
    expect(started()).toMatchObject({ sandbox: reach });
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
    const time = duration();
    const script = `trap '' TERM; setsid sleep ${time} & sleep ${time} & echo ready; wait; wait; wait`;
    const { run, ended, output } = launch(script);
    await until(() => output().includes('ready') && sleepers(time) === 2);
    run.terminate();
    const end = await ended;
    expect(end.type === 'signal' || end.type === 'exit').toBe(true);
    expect(sleepers(time)).toBe(0);
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
    const time = duration();
    const { ended } = launch(`sleep ${time} & exit 0`);
    expect(await ended).toEqual({ type: 'exit', code: 0, left: 1 });
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(sleepers(time)).toBe(0);
  });

  test('a helper that somebody kills leaves nothing of its run, in whatever session', async () => {
    const time = duration();
    const script = `(setsid sleep ${time} & setsid sh -c "sleep ${time}; :" & wait) & sleep ${time} & echo ready; wait`;
    const bystander = launch('echo here; sleep 53');
    const { ended, output, started } = launch(script);
    await until(() => sleepers(time) === 3 && output().includes('ready') && bystander.output() !== '');
    process.kill(parentOf(started()?.pid ?? 0), 'SIGKILL');
    expect(await ended).toEqual({ type: 'signal', signal: 9, left: 0 });
    await until(() => sleepers(time) === 0);
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
