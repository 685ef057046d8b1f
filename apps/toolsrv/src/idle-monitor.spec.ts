import { IdleMonitor } from './idle-monitor.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

const [nobody, one, working] = [
  { connections: 0, running: 0 },
  { connections: 1, running: 0 },
  { connections: 0, running: 1 },
];

function monitor(idleMs: number | undefined): { monitor: IdleMonitor; ended: () => boolean } {
  const onIdle = jest.fn();
  return { monitor: new IdleMonitor(idleMs, onIdle), ended: () => onIdle.mock.calls.length > 0 };
}

describe('ending an idle server', () => {
  test('without a first connection it ends after 60 s', () => {
    const { monitor: idle, ended } = monitor(2000);
    idle.note(nobody);
    jest.advanceTimersByTime(59_999);
    expect(ended()).toBe(false);
    jest.advanceTimersByTime(1);
    expect(ended()).toBe(true);
  });

  test('after the last connection it ends after the idle time', () => {
    const { monitor: idle, ended } = monitor(2000);
    idle.note(nobody);
    idle.note(one);
    jest.advanceTimersByTime(100_000);
    expect(ended()).toBe(false);
    idle.note(nobody);
    jest.advanceTimersByTime(1999);
    expect(ended()).toBe(false);
    jest.advanceTimersByTime(1);
    expect(ended()).toBe(true);
  });

  test('a client that comes back in time keeps it', () => {
    const { monitor: idle, ended } = monitor(2000);
    for (const activity of [one, nobody]) idle.note(activity);
    jest.advanceTimersByTime(1500);
    idle.note(one);
    jest.advanceTimersByTime(10_000);
    expect(ended()).toBe(false);
  });

  test('it never ends while a process runs, and the time counts from its end', () => {
    const { monitor: idle, ended } = monitor(2000);
    for (const activity of [one, working]) idle.note(activity);
    jest.advanceTimersByTime(100_000);
    expect(ended()).toBe(false);
    idle.note(nobody);
    jest.advanceTimersByTime(2000);
    expect(ended()).toBe(true);
  });

  test('without an idle time, and once stopped, it never ends', () => {
    const [never, stopped] = [monitor(undefined), monitor(1)];
    never.monitor.note(nobody);
    stopped.monitor.note(nobody);
    stopped.monitor.stop();
    jest.advanceTimersByTime(1_000_000);
    expect([never.ended(), stopped.ended()]).toEqual([false, false]);
  });
});
