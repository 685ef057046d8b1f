import { TokenKeeper, type Token } from './token-keeper.js';

const MINUTE = 60_000;

describe('the token of an account', () => {
  let now = 1_000 * MINUTE;
  let fetches = 0;
  let lifeMs: number | undefined;
  let failing = false;

  beforeEach(() => {
    now = 1_000 * MINUTE;
    fetches = 0;
    lifeMs = 30 * MINUTE;
    failing = false;
  });

  const keeper = (): TokenKeeper =>
    new TokenKeeper(
      async () => {
        await Promise.resolve();
        fetches += 1;
        if (failing) throw new Error('no token');
        return { text: `t${fetches}`, ...(lifeMs === undefined ? {} : { expiresAt: now + lifeMs }) };
      },
      () => now,
    );
  const texts = (tokens: readonly Token[]): readonly string[] => tokens.map(({ text }) => text);

  it('is fetched once by all who ask at the same time, and kept until five minutes before its end', async () => {
    const tokens = keeper();
    expect(texts(await Promise.all([tokens.current(), tokens.current(), tokens.current()]))).toEqual(['t1', 't1', 't1']);
    now += 25 * MINUTE - 1;
    expect((await tokens.current()).text).toBe('t1');
    now += 1;
    expect((await tokens.current()).text).toBe('t2');
    expect([fetches, tokens.last?.text]).toEqual([2, 't2']);
  });

  it('of one that lives shorter than that half its life counts', async () => {
    lifeMs = 4 * MINUTE;
    const tokens = keeper();
    await tokens.current();
    now += 2 * MINUTE - 1;
    expect((await tokens.current()).text).toBe('t1');
    now += 1;
    expect((await tokens.current()).text).toBe('t2');
  });

  it.each([
    ['nobody knows its end', undefined],
    ['its end, by another clock, was long ago', -60 * MINUTE],
  ])('is kept until it is refused when %s', async (_when, life) => {
    lifeMs = life;
    const tokens = keeper();
    await tokens.current();
    now += 10_000 * MINUTE;
    expect((await tokens.current()).text).toBe('t1');
  });

  it('one that still lives is used when no new one can be had; one that does not is none', async () => {
    const tokens = keeper();
    await tokens.current();
    failing = true;
    now += 26 * MINUTE;
    expect((await tokens.current()).text).toBe('t1');
    now += 4 * MINUTE;
    await expect(tokens.current()).rejects.toThrow('no token');
    failing = false;
    expect((await tokens.current()).text).toBe('t4');
  });

  it('one that is refused is replaced once for all who were refused', async () => {
    const tokens = keeper();
    const first = await tokens.current();
    expect(texts(await Promise.all([tokens.instead(first), tokens.instead(first)]))).toEqual(['t2', 't2']);
    expect((await tokens.instead(first)).text).toBe('t2');
    expect((await tokens.current()).text).toBe('t2');
    expect(fetches).toBe(2);
  });
});
