import { InterruptedError } from '#model';
import { ServerClock } from './server-clock.js';

describe('ServerClock', () => {
  it('sleeps', async () => {
    const clock = new ServerClock();
    const before = clock.now();
    const busy = setTimeout(() => undefined, 5000);
    await clock.sleep(20, new AbortController().signal);
    clearTimeout(busy);
    expect(clock.now() - before).toBeGreaterThanOrEqual(18);
  });

  it('wakes with the reason of an abort, and leaves no timer behind', async () => {
    const abort = new AbortController();
    const sleep = new ServerClock().sleep(60_000, abort.signal);
    abort.abort(new InterruptedError());
    await expect(sleep).rejects.toBeInstanceOf(InterruptedError);
    await expect(new ServerClock().sleep(60_000, abort.signal)).rejects.toBeInstanceOf(InterruptedError);
  });
});
