import { setTimeout as sleep } from 'node:timers/promises';
import { IdleTimer } from './idle-timer.js';

describe('the idle timer', () => {
  it('calls back once nothing was under way for its time', async () => {
    let idle = 0;
    const timer = new IdleTimer(20, () => void idle++);
    await timer.during(() => sleep(120));
    expect(idle).toBe(0);
    await sleep(120);
    expect(idle).toBe(1);
  });

  it('counts from the end of the last of several works, failed ones too', async () => {
    let idle = 0;
    const timer = new IdleTimer(20, () => void idle++);
    const long = timer.during(() => sleep(150));
    await expect(timer.during(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await sleep(80);
    expect(idle).toBe(0);
    expect(timer.isActive).toBe(true);
    await long;
    timer.stop();
  });

  it('does not call back once stopped', async () => {
    let idle = 0;
    const timer = new IdleTimer(10, () => void idle++);
    timer.restart();
    timer.stop();
    await sleep(60);
    expect(idle).toBe(0);
  });
});
