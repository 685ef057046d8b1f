import { Deadline } from './deadline.js';

const PATIENCE_MS = 10_000;

describe('Deadline', () => {
  it('is over after so much work', () => {
    const deadline = new Deadline(50);
    expect(deadline.isOver).toBe(false);
    const started = performance.now();
    while (!deadline.isOver && performance.now() - started < PATIENCE_MS);
    expect(deadline.isOver).toBe(true);
  });

  it('is not over because time has passed without any', () => {
    const deadline = new Deadline(100);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    expect(deadline.isOver).toBe(false);
  });
});
