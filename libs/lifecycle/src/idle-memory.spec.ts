import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { IdleMemory } from './idle-memory.js';

const IDLE_MS = 250;
const MIB = 2 ** 20;

describe('memory after work', () => {
  let size: number;
  let collected: number;
  let memory: IdleMemory;

  beforeEach(() => {
    [size, collected] = [40 * MIB, 0];
    const collect = (): void => {
      collected += 1;
      size = 20 * MIB;
    };
    memory = new IdleMemory({ size: () => size, collect }, IDLE_MS);
  });
  afterEach(() => memory.close());

  function collectBy(type: 'minor' | 'major'): void {
    setFlagsFromString('--expose-gc');
    runInNewContext(`gc({ type: "${type}" })`);
  }

  /** Has the engine collect young objects, as it does by itself where work is done. */
  function work(): void {
    collectBy('minor');
  }

  /** The process of the test works too, so that it may take longer than is waited for. */
  async function untilCollected(times: number): Promise<void> {
    for (let left = 100; collected < times && left > 0; left -= 1) await wait(IDLE_MS / 5);
    expect(collected).toBe(times);
  }

  it('is returned once, when nothing was allocated for a while', async () => {
    work();
    await wait(IDLE_MS / 2);
    expect(collected).toBe(0);
    await untilCollected(1);
    await wait(IDLE_MS * 2);
    expect(collected).toBe(1);
  });

  it('is left alone while there is work', async () => {
    for (let round = 0; round < 10; round += 1) {
      work();
      await wait(IDLE_MS / 5);
    }
    expect(collected).toBe(0);
  });

  it('is left alone where only old objects were collected: so the engine does by itself, long after work', async () => {
    collectBy('major');
    await wait(IDLE_MS * 2);
    expect(collected).toBe(0);
  });

  it('is returned again only where it has grown since', async () => {
    work();
    await untilCollected(1);
    size += 4 * MIB;
    work();
    await wait(IDLE_MS * 3);
    expect(collected).toBe(1);
    size += 8 * MIB;
    work();
    await untilCollected(2);
  });
});
