import {
  AbortedError,
  AuthError,
  ContextOverflowError,
  RateLimitError,
  RequestError,
  TransientError,
  userText,
  type ModelInfo,
  type ModelRequest,
  type StreamEvent,
} from '#model';
import { FakeBackend, FakeClock, type FakeAnswer } from '#testkit';
import { Member } from './member.js';
import { PooledBackend } from './pooled-backend.js';

const never = new AbortController().signal;
const limited = (retryAfterMs: number): RateLimitError =>
  new RateLimitError('slow down', { backend: 'acme', kind: 'rate_limit', retryAfterMs });
const refused = new AuthError('no such key', { backend: 'acme', kind: 'auth' });

function request(conversation?: string): ModelRequest {
  return { model: 'm', system: '', messages: [userText('hi')], tools: [], params: {}, ...(conversation && { conversation }) };
}

/** A pool of backends that answer as the test says. */
class Bench {
  readonly clock = FakeClock.stopped();
  readonly switches: string[] = [];
  readonly accounts: readonly FakeBackend[];
  readonly pool: PooledBackend;

  constructor(...accounts: readonly (readonly FakeAnswer[])[]) {
    this.accounts = accounts.map((answers) => new FakeBackend(answers));
    this.pool = this.of(this.accounts.map((backend, i) => new Member({ name: `a${i}`, concurrency: undefined, make: () => backend })));
  }

  of(members: readonly Member[]): PooledBackend {
    const onSwitch = (account: string, why: string): void => void this.switches.push(`${account}: ${why}`);
    return new PooledBackend({ name: 'acme', defaultModel: 'm', members, clock: this.clock, onSwitch });
  }

  /** How many requests each account has had. */
  get asked(): readonly number[] {
    return this.accounts.map(({ requests }) => requests.length);
  }

  get active(): readonly number[] {
    return this.accounts.map(({ active }) => active);
  }
}

/** What came, then how it ended. */
async function heard(events: AsyncIterable<StreamEvent>): Promise<readonly string[]> {
  const shown: string[] = [];
  try {
    for await (const event of events) shown.push('text' in event ? event.text : event.type);
  } catch (error) {
    shown.push(error instanceof Error ? `${error.name} ${error.message}` : String(error));
  }
  return shown;
}

describe('one account', () => {
  it('hands on what it says, and its failures as they are', async () => {
    const bench = new Bench([
      { responseId: 'r', text: ['a', 'b'] },
      { responseId: 'r', text: 'a', fails: limited(5) },
      { responseId: 'r', fails: limited(5) },
    ]);
    expect(await heard(bench.pool.stream(request(), never))).toEqual(['start', 'a', 'b', 'done']);
    expect(await heard(bench.pool.stream(request(), never))).toEqual(['start', 'a', 'RateLimitError slow down']);
    expect(await heard(bench.pool.stream(request(), never))).toEqual(['start', 'RateLimitError slow down']);
    expect(bench.switches).toEqual([]);
  });

  it('is not asked before it wants to be', async () => {
    const bench = new Bench([{ fails: limited(20_000) }, { text: 'ok' }]);
    await heard(bench.pool.stream(request(), never));
    bench.clock.advance(5_000);
    const stream = bench.pool.stream(request(), never)[Symbol.asyncIterator]();
    await expect(stream.next()).rejects.toMatchObject({ message: 'slow down', failure: { retryAfterMs: 15_000, kind: 'rate_limit' } });
    expect(bench.asked).toEqual([1]);
    bench.clock.advance(15_000);
    expect(await heard(bench.pool.stream(request(), never))).toEqual(['ok', 'done']);
  });

  it('is asked again at once after invalidate', async () => {
    const bench = new Bench([{ fails: limited(20_000) }, { text: 'ok' }]);
    await heard(bench.pool.stream(request(), never));
    bench.pool.invalidate();
    expect(await heard(bench.pool.stream(request(), never))).toEqual(['ok', 'done']);
  });

  it('what is refused for what it is has been let in', async () => {
    const bench = new Bench([
      { fails: limited(1_000) },
      { fails: new ContextOverflowError('too long', { backend: 'acme' }) },
      { hangs: true },
      { text: 'ok' },
    ]);
    await heard(bench.pool.stream(request(), never));
    bench.clock.advance(1_000);
    await heard(bench.pool.stream(request(), never));
    void heard(bench.pool.stream(request(), never));
    expect(await heard(bench.pool.stream(request(), never))).toEqual(['ok', 'done']);
  });

  it('gives its place back however an answer ends', async () => {
    const backend = new FakeBackend([{ text: 'a', hangs: true }, { text: ['a', 'b'] }, { text: 'a', fails: limited(0) }, { text: 'ok' }]);
    const bench = new Bench();
    const pool = bench.of([new Member({ name: 'one', concurrency: 1, make: () => backend })]);
    const leaving = new AbortController();
    const hung = heard(pool.stream(request(), leaving.signal));
    const rest = [1, 2, 3].map(async () => {
      for await (const event of pool.stream(request(), never)) if (event.type === 'text') break;
    });
    await pass();
    expect([backend.requests.length, backend.active]).toEqual([1, 1]);
    leaving.abort();
    expect(await hung).toEqual(['a', 'AbortedError aborted']);
    await Promise.all(rest);
    expect([backend.requests.length, backend.active]).toEqual([4, 0]);
  });

  it('an abort ends the wait for a place', async () => {
    const backend = new FakeBackend([{ hangs: true }]);
    const bench = new Bench();
    const pool = bench.of([new Member({ name: 'one', concurrency: 1, make: () => backend })]);
    void heard(pool.stream(request(), never));
    const leaving = new AbortController();
    const waiting = heard(pool.stream(request(), leaving.signal));
    await pass();
    leaving.abort();
    expect(await waiting).toEqual(['AbortedError acme: aborted']);
    expect(await heard(pool.stream(request(), leaving.signal))).toEqual(['AbortedError acme: aborted']);
    expect(backend.requests).toHaveLength(1);
  });
});

describe('several accounts', () => {
  it.each([
    ['a rate limit', limited(20_000)],
    ['a used up quota', new RateLimitError('all used up', { backend: 'acme', kind: 'quota' })],
    ['a refused key', refused],
    ['an overload', new TransientError('busy', { backend: 'acme', kind: 'overloaded' })],
    ['a connection that breaks', new TransientError('gone', { backend: 'acme', kind: 'network' })],
  ])('after %s the next one answers, and it is told why', async (_name, error) => {
    const bench = new Bench([{ responseId: 'r1', fails: error }], [{ responseId: 'r2', text: 'ok' }]);
    expect(await heard(bench.pool.stream(request(), never))).toEqual(['start', 'ok', 'done']);
    expect([bench.asked, bench.switches]).toEqual([[1, 1], [`a0: ${error.message}`]]);
  });

  it.each([
    ['is refused for what it is', new RequestError('bad', { backend: 'acme' })],
    ['does not fit', new ContextOverflowError('too long', { backend: 'acme' })],
    ['was silent for long', new TransientError('silent', { backend: 'acme', kind: 'idle' })],
    ['is a bug', new TypeError('oops')],
  ])('what %s is not tried elsewhere', async (_name, error) => {
    const bench = new Bench([{ fails: error }], [{ text: 'ok' }]);
    expect(await heard(bench.pool.stream(request(), never))).toEqual([`${error.name} ${error.message}`]);
    expect(bench.asked).toEqual([1, 0]);
  });

  it.each<[string, FakeAnswer]>([
    ['text', { text: 'a' }],
    ['reasoning', { reasoning: 'a' }],
  ])("once %s was seen a failure is the caller's", async (_name, answer) => {
    const bench = new Bench([{ ...answer, fails: limited(20_000) }], [{ text: 'ok' }]);
    expect(await heard(bench.pool.stream(request('x'), never))).toEqual(['a', 'RateLimitError slow down']);
    expect([bench.asked, bench.switches]).toEqual([[1, 0], []]);
    expect(await heard(bench.pool.stream(request('x'), never))).toEqual(['ok', 'done']);
    expect(bench.asked).toEqual([1, 1]);
  });

  it('each is asked once; then the failure says when the first may be asked again', async () => {
    const bench = new Bench([{ fails: limited(20_000) }], [{ fails: limited(30_000) }]);
    await expect(bench.pool.stream(request(), never)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      failure: { retryAfterMs: 20_000 },
    });
    expect([bench.asked, bench.active]).toEqual([
      [1, 1],
      [0, 0],
    ]);
  });

  it('an abort between two accounts is one', async () => {
    const leaving = new AbortController();
    const bench = new Bench([], [{ text: 'ok' }]);
    const first = new FakeBackend([() => (leaving.abort(), { fails: limited(1) })]);
    const pool = bench.of(
      [first, ...bench.accounts].map((backend, i) => new Member({ name: `${i}`, concurrency: undefined, make: () => backend })),
    );
    expect(await heard(pool.stream(request(), leaving.signal))).toEqual(['AbortedError aborted']);
    expect(bench.asked).toEqual([0, 0]);
  });

  it('a conversation stays with the one that it began with', async () => {
    const bench = new Bench([], []);
    for (const conversation of ['x', 'y', 'x', 'y', 'x']) await heard(bench.pool.stream(request(conversation), never));
    expect(bench.accounts.map(({ requests }) => requests.map(({ conversation }) => conversation))).toEqual([
      ['x', 'x', 'x'],
      ['y', 'y'],
    ]);
  });
});

describe('a key that a command tells', () => {
  /** Backends by key; `a` is refused. */
  function keyed(...keys: readonly (string | Error)[]): { pool: PooledBackend; told: () => number; asked: readonly string[] } {
    const asked: string[] = [];
    let told = 0;
    const make = (key: string | undefined): FakeBackend =>
      new FakeBackend(Array(9).fill(() => (asked.push(key ?? 'none'), key === 'a' ? { fails: refused } : { text: `by ${key}` })));
    const tellKey = async (): Promise<string> => {
      const key = keys[told] ?? 'a';
      told += 1;
      if (key instanceof Error) throw key;
      return key;
    };
    return { pool: new Bench().of([new Member({ name: 'one', concurrency: undefined, make, tellKey })]), told: () => told, asked };
  }

  it('is asked for once, with the first requests', async () => {
    const { pool, told } = keyed('b');
    expect(told()).toBe(0);
    const both = await Promise.all([heard(pool.stream(request(), never)), heard(pool.stream(request(), never))]);
    expect([both, told()]).toEqual([
      [
        ['by b', 'done'],
        ['by b', 'done'],
      ],
      1,
    ]);
    await heard(pool.stream(request(), never));
    expect(told()).toBe(1);
  });

  it('is asked for once more when it was refused, for all whose it was', async () => {
    const { pool, told, asked } = keyed('a', 'b');
    const both = await Promise.all([heard(pool.stream(request(), never)), heard(pool.stream(request(), never))]);
    expect([both, told(), asked]).toEqual([
      [
        ['by b', 'done'],
        ['by b', 'done'],
      ],
      2,
      ['a', 'a', 'b', 'b'],
    ]);
  });

  it('that is still the same is not tried again', async () => {
    const { pool, told, asked } = keyed('a', 'a');
    expect(await heard(pool.stream(request(), never))).toEqual(['AuthError no such key']);
    expect([told(), asked]).toEqual([2, ['a']]);
  });

  it('another that is refused as well is the end', async () => {
    const { pool, told } = keyed('a', new AuthError('locked', { backend: 'acme' }));
    expect(await heard(pool.stream(request(), never))).toEqual(['AuthError locked']);
    expect(told()).toBe(2);
  });

  it('that cannot be had is asked for again with the next request', async () => {
    const { pool, told } = keyed(new AuthError('locked', { backend: 'acme' }), 'b');
    expect(await heard(pool.stream(request(), never))).toEqual(['AuthError locked']);
    expect(await heard(pool.stream(request(), never))).toEqual(['by b', 'done']);
    expect(told()).toBe(2);
  });

  it('is asked for again after invalidate', async () => {
    const { pool, told } = keyed('b', 'c');
    await heard(pool.stream(request(), never));
    pool.invalidate();
    expect(await heard(pool.stream(request(), never))).toEqual(['by c', 'done']);
    expect(told()).toBe(2);
  });

  it('an abort ends the wait for it', async () => {
    const waits: AbortSignal[] = [];
    const tellKey = (signal: AbortSignal): Promise<string> => (waits.push(signal), new Promise(() => undefined));
    const pool = new Bench().of([new Member({ name: 'one', concurrency: undefined, make: () => new FakeBackend(), tellKey })]);
    const leaving = new AbortController();
    const waiting = heard(pool.stream(request(), leaving.signal));
    await pass();
    leaving.abort();
    expect(await waiting).toEqual(['AbortedError acme: aborted']);
    expect(waits.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('the models', () => {
  class Telling extends FakeBackend {
    asked = 0;
    private cached: readonly ModelInfo[] | undefined;

    constructor(private readonly tell: (n: number) => readonly ModelInfo[]) {
      super();
    }

    override async models(): Promise<readonly ModelInfo[]> {
      if (this.cached) return this.cached;
      await Promise.resolve();
      return (this.cached = this.tell((this.asked += 1)));
    }

    override contextLength(model: string): number | undefined {
      return this.cached?.find(({ id }) => id === model)?.contextLength;
    }

    override capabilities(model: string): { images: boolean } {
      return { images: model === 'm1' };
    }

    override invalidate(): void {
      this.cached = undefined;
    }
  }

  const numbered = (n: number): readonly ModelInfo[] => [{ id: `m${n}`, contextLength: n }];
  const fails = (): never => {
    throw new TransientError('gone', { backend: 'acme', kind: 'network' });
  };
  const pooled = (bench: Bench, ...backends: readonly Telling[]): PooledBackend =>
    bench.of(backends.map((backend, i) => new Member({ name: `a${i}`, concurrency: undefined, make: () => backend })));

  it('are asked for once for all who want to know, and again after five minutes or invalidate', async () => {
    const bench = new Bench();
    const backend = new Telling(numbered);
    const pool = pooled(bench, backend);
    const first = await Promise.all([pool.models(never), pool.models(never)]);
    bench.clock.advance(299_999);
    expect([...first, await pool.models(never)]).toEqual([numbered(1), numbered(1), numbered(1)]);
    bench.clock.advance(1);
    expect(await pool.models(never)).toEqual(numbered(2));
    pool.invalidate();
    expect(await pool.models(never)).toEqual(numbered(3));
    expect(backend.asked).toBe(3);
  });

  it('that were asked for before invalidate are not kept', async () => {
    const bench = new Bench();
    const pool = pooled(bench, new Telling(numbered));
    const before = pool.models(never);
    pool.invalidate();
    const after = pool.models(never);
    expect([await before, await after, await pool.models(never)]).toEqual([numbered(1), numbered(2), numbered(2)]);
  });

  it('come from the next account when one does not tell; when none does, the first failure counts', async () => {
    const bench = new Bench();
    expect(await pooled(bench, new Telling(fails), new Telling(numbered)).models(never)).toEqual(numbered(1));
    await expect(pooled(bench, new Telling(fails), new Telling(fails)).models(never)).rejects.toThrow('gone');
  });

  it('what fits into one, and what it can do, is as the accounts know it', async () => {
    const pool = pooled(new Bench(), new Telling(fails), new Telling(numbered));
    expect([pool.contextLength('m1'), pool.capabilities('m1')]).toEqual([undefined, { images: true }]);
    await pool.models(never);
    expect(pool.contextLength('m1')).toBe(1);
  });

  it('an abort is one', async () => {
    await expect(pooled(new Bench(), new Telling(numbered)).models(AbortSignal.abort())).rejects.toBeInstanceOf(AbortedError);
  });
});

async function pass(): Promise<void> {
  for (let i = 0; i < 50; i += 1) await Promise.resolve();
}
