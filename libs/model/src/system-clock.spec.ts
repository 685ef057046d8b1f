import { InterruptedError } from './errors.js';
import { SystemClock } from './system-clock.js';

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

describe('SystemClock', () => {
  it('sleeps', async () => {
    const clock = new SystemClock();
    const before = clock.now();
    await clock.sleep(20, new AbortController().signal);
    expect(clock.now() - before).toBeGreaterThanOrEqual(18);
  });

  it('leaves no timer behind when it is woken', async () => {
    const before = timers();
    const abort = new AbortController();
    const sleep = new SystemClock().sleep(60_000, abort.signal);
    expect(timers()).toBe(before + 1);
    abort.abort(new InterruptedError());
    await expect(sleep).rejects.toBeInstanceOf(InterruptedError);
    expect(timers()).toBe(before);
  });

  it('keeps no process alive where that is not wanted, and sleeps all the same', async () => {
    const before = timers();
    const sleep = new SystemClock(false).sleep(20, new AbortController().signal);
    expect(timers()).toBe(before);
    const busy = setTimeout(() => undefined, 5000);
    await sleep;
    clearTimeout(busy);
  });

  it('wakes with the reason of an abort', async () => {
    const abort = new AbortController();
    const sleep = new SystemClock().sleep(60_000, abort.signal);
    abort.abort(new InterruptedError());
    await expect(sleep).rejects.toBeInstanceOf(InterruptedError);
    await expect(new SystemClock().sleep(60_000, abort.signal)).rejects.toBeInstanceOf(InterruptedError);
  });
});
