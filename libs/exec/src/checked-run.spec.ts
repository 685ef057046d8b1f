import { once } from 'node:events';
import { CheckedRun } from './checked-run.js';
import type { Run, RunEnd } from './process-launcher.js';

describe('a run that is checked before', () => {
  /** Tells what it was told, and ends with the first that would end it. */
  function fakeRun(told: string[]): Run {
    let end: (end: RunEnd) => void;
    const ended = new Promise<RunEnd>((resolve) => (end = resolve));
    const stop = (how: string, signal: number) => () => {
      told.push(how);
      end({ type: 'signal', signal, left: 0 });
    };
    return { ended, signal: (number) => void told.push(String(number)), terminate: stop('terminate', 15), kill: stop('kill', 9) };
  }
  const never = async (signal: AbortSignal): Promise<undefined> => {
    await once(signal, 'abort');
    signal.throwIfAborted();
    return undefined;
  };

  it('begins once nothing is against it, and is told all that comes then', async () => {
    const told: string[] = [];
    const run = new CheckedRun(
      async () => undefined,
      () => (told.push('started'), fakeRun(told)),
    );
    run.signal(10);
    await new Promise(setImmediate);
    run.signal(12);
    run.terminate();
    expect(await run.ended).toEqual({ type: 'signal', signal: 15, left: 0 });
    expect(told).toEqual(['started', '12', 'terminate']);
  });

  it.each(['terminate', 'kill'] as const)('ends as one that runs where it is ended before: %s', async (how) => {
    const told: string[] = [];
    const run = new CheckedRun(never, () => fakeRun(told));
    run[how]();
    expect(await run.ended).toMatchObject({ type: 'signal' });
    expect(told).toEqual([how]);
  });

  it('does not begin where the check finds something, or fails', async () => {
    const start = (): Run => fail('it was started');
    const failure = { type: 'failed', step: 'silent', message: 'x', code: 125 } as const;
    expect(await new CheckedRun(async () => failure, start).ended).toEqual(failure);
    expect(await new CheckedRun(() => Promise.reject(new Error('bug')), start).ended).toEqual({
      ...failure,
      step: 'check',
      message: 'bug',
    });
  });
});
