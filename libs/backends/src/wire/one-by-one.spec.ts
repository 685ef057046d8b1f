import { OneByOne } from './one-by-one.js';

const loop = () => new Promise((resolve) => setImmediate(resolve));

describe('one by one', () => {
  it('who comes alone does not wait', async () => {
    const gate = new OneByOne();
    let isOver = false;
    setImmediate(() => (isOver = true));
    await gate.turn();
    expect(isOver).toBe(false);
    await loop();
    await loop();
    let isOverAgain = false;
    setImmediate(() => (isOverAgain = true));
    await gate.turn();
    expect(isOverAgain).toBe(false);
  });

  it('those who come together begin in order, and others have time in between', async () => {
    const gate = new OneByOne();
    const seen: string[] = [];
    const all = Promise.all(['a', 'b', 'c'].map(async (name) => gate.turn().then(() => seen.push(name))));
    for (let rounds = 0; rounds < 4; rounds += 1) {
      await loop();
      seen.push('other');
    }
    await all;
    expect(seen.slice(0, 5)).toEqual(['a', 'b', 'other', 'c', 'other']);
  });
});
