import { getEventListeners } from 'node:events';
import { AuthError, RateLimitError, RequestError, TransientError, type BackendError } from '#model';
import { FakeClock } from '#testkit';
import { Admission, type Slot } from './admission.js';

const never = new AbortController().signal;
const limited = (retryAfterMs?: number): BackendError =>
  new RateLimitError('slow down', { backend: 'acme', kind: 'rate_limit', ...(retryAfterMs !== undefined && { retryAfterMs }) });
const quota = new RateLimitError('all used up', { backend: 'acme', kind: 'quota' });

/** Requests in the order in which they were let in, as `name@account`. */
class Bench {
  readonly clock = FakeClock.stopped();
  readonly admission: Admission;
  readonly log: string[] = [];
  readonly places = new Map<string, Slot>();

  constructor(...limits: readonly (number | undefined)[]) {
    this.admission = new Admission(limits, this.clock);
  }

  /** Asks for a place, and lets everybody go on. */
  async come(name: string, options: { conversation?: string; tried?: readonly number[]; signal?: AbortSignal } = {}): Promise<void> {
    const { conversation, tried = [], signal = never } = options;
    void this.admission.admitted({ conversation, tried: new Set(tried) }, signal).then(
      (place) => {
        this.places.set(name, place);
        this.log.push(`${name}@${place.account}`);
      },
      (error: unknown) => this.log.push(`${name}: ${shown(error)}`),
    );
    await settled();
  }

  async fail(name: string, error: BackendError): Promise<void> {
    this.place(name).failed(error);
    await this.end(name);
  }

  async answer(name: string): Promise<void> {
    this.place(name).answered();
    await settled();
  }

  async end(name: string): Promise<void> {
    this.place(name).end();
    await settled();
  }

  async later(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settled();
  }

  private place(name: string): Slot {
    const place = this.places.get(name);
    if (!place) throw new Error(`${name} was not let in`);
    return place;
  }
}

function shown(error: unknown): string {
  if (error instanceof RateLimitError || error instanceof TransientError) return `${error.message} ${error.failure.retryAfterMs}`;
  return String(error);
}

async function settled(): Promise<void> {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
}

describe('admission to one account', () => {
  it('without a limit lets everybody in', async () => {
    const bench = new Bench(undefined);
    for (const name of ['a', 'b', 'c']) await bench.come(name);
    expect(bench.log).toEqual(['a@0', 'b@0', 'c@0']);
    expect(bench.clock.sleeping).toBe(0);
  });

  it('with a limit lets the others wait, first come first served', async () => {
    const bench = new Bench(2);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await bench.come(name);
    expect([bench.log, bench.admission.waiting, bench.clock.sleeping]).toEqual([['a@0', 'b@0'], 3, 0]);
    await bench.end('b');
    await bench.end('b');
    await bench.end('a');
    expect(bench.log.slice(2)).toEqual(['c@0', 'd@0']);
  });

  it('who leaves the queue is passed over, and nothing of it is kept', async () => {
    const bench = new Bench(1);
    const leaving = new AbortController();
    await bench.come('a');
    await bench.come('b', { signal: leaving.signal });
    await bench.come('c');
    leaving.abort(new Error('left'));
    await bench.end('a');
    expect(bench.log).toEqual(['a@0', 'b: Error: left', 'c@0']);
    expect(bench.admission.waiting).toBe(0);
    await bench.come('d', { signal: leaving.signal });
    expect(bench.log.at(-1)).toBe('d: Error: left');
  });

  it('nothing is left at the signal of who was let in or sent away', async () => {
    const bench = new Bench(1);
    const { signal } = new AbortController();
    await bench.come('a');
    for (const name of ['b', 'c']) await bench.come(name, { signal });
    await bench.end('a');
    await bench.fail('b', limited(20_000));
    expect([bench.log, getEventListeners(signal, 'abort')]).toEqual([['a@0', 'b@0', 'c: slow down 20000'], []]);
  });

  it('nobody is let in before the provider wants to be asked again; they are told how long that is', async () => {
    const bench = new Bench(undefined);
    await bench.come('a');
    await bench.fail('a', limited(20_000));
    await bench.later(5_000);
    await bench.come('b');
    expect([bench.log.at(-1), bench.clock.sleeping]).toEqual(['b: slow down 15000', 0]);
  });

  it('who waits for a place is told too', async () => {
    const bench = new Bench(1);
    await bench.come('a');
    await bench.come('b');
    await bench.fail('a', limited(20_000));
    expect([bench.log.at(-1), bench.admission.waiting]).toEqual(['b: slow down 20000', 0]);
  });

  it('after that one request tries it, and the others wait for what becomes of it', async () => {
    const bench = new Bench(undefined);
    await bench.come('a');
    await bench.fail('a', limited(20_000));
    await bench.later(20_000);
    for (const name of ['b', 'c', 'd']) await bench.come(name);
    expect(bench.log).toEqual(['a@0', 'b@0']);
    await bench.answer('b');
    expect(bench.log.slice(2)).toEqual(['c@0', 'd@0']);
    expect(bench.clock.sleeping).toBe(0);
  });

  it('a trial that fails closes it again for all', async () => {
    const bench = new Bench(undefined);
    await bench.come('a');
    await bench.fail('a', limited(20_000));
    await bench.later(20_000);
    await bench.come('b');
    await bench.come('c');
    await bench.fail('b', limited(30_000));
    expect(bench.log.at(-1)).toBe('c: slow down 30000');
  });

  it('a trial that ends without a word is taken over by the next', async () => {
    const bench = new Bench(undefined);
    await bench.come('a');
    await bench.fail('a', limited(1_000));
    await bench.later(1_000);
    for (const name of ['b', 'c', 'd']) await bench.come(name);
    await bench.end('b');
    expect(bench.log).toEqual(['a@0', 'b@0', 'c@0']);
  });

  it('a trial that is not refused within ten seconds is let in, though it has not answered', async () => {
    const bench = new Bench(undefined);
    await bench.come('a');
    await bench.fail('a', limited(1_000));
    await bench.later(1_000);
    for (const name of ['b', 'c', 'd']) await bench.come(name);
    await bench.later(9_999);
    expect([bench.log.length, bench.clock.sleeping]).toEqual([2, 1]);
    await bench.later(1);
    expect([bench.log.slice(2), bench.clock.sleeping]).toEqual([['c@0', 'd@0'], 0]);
  });

  it('the timer goes with the last one who waits', async () => {
    const bench = new Bench(undefined);
    const leaving = new AbortController();
    await bench.come('a');
    await bench.fail('a', limited(1_000));
    await bench.later(1_000);
    await bench.come('b');
    await bench.come('c', { signal: leaving.signal });
    expect(bench.clock.sleeping).toBe(1);
    leaving.abort(new Error('left'));
    await settled();
    expect(bench.clock.sleeping).toBe(0);
  });

  it('who comes back a little early is not sent away again', async () => {
    const bench = new Bench(undefined);
    await bench.come('a');
    await bench.fail('a', limited(1_000));
    await bench.later(990);
    await bench.come('b');
    expect(bench.log.at(-1)).toBe('b@0');
  });

  it('a wish of days holds for an hour', async () => {
    const bench = new Bench(undefined);
    await bench.come('a');
    await bench.fail('a', limited(1e9));
    await bench.come('b');
    expect(bench.log.at(-1)).toBe('b: slow down 3600000');
  });

  it.each([
    ['a rate limit without a time', limited()],
    ['an overload', new TransientError('busy', { backend: 'acme', kind: 'overloaded' })],
  ])('after %s one request at a time is tried at once', async (_name, error) => {
    const bench = new Bench(undefined);
    await bench.come('a');
    await bench.fail('a', error);
    for (const name of ['b', 'c']) await bench.come(name);
    expect(bench.log).toEqual(['a@0', 'b@0']);
  });

  it.each([
    ['a used up quota', quota],
    ['a refused key', new AuthError('no', { backend: 'acme', kind: 'auth' })],
    ['a connection that breaks', new TransientError('gone', { backend: 'acme', kind: 'network' })],
    ['a server error', new TransientError('oops', { backend: 'acme', kind: 'server' })],
  ])('%s keeps nobody out: only the provider knows when it is over', async (_name, error) => {
    const bench = new Bench(undefined);
    await bench.come('a');
    await bench.fail('a', error);
    for (const name of ['b', 'c']) await bench.come(name);
    expect(bench.log).toEqual(['a@0', 'b@0', 'c@0']);
  });

  it('what began before a failure and ends well says nothing new', async () => {
    const bench = new Bench(undefined);
    for (const name of ['a', 'b']) await bench.come(name);
    await bench.fail('a', limited(20_000));
    await bench.answer('b');
    await bench.come('c');
    expect(bench.log.at(-1)).toBe('c: slow down 20000');
  });

  it('of several failures the longest wish counts', async () => {
    const bench = new Bench(undefined);
    for (const name of ['a', 'b', 'c']) await bench.come(name);
    await bench.fail('a', limited(20_000));
    await bench.fail('b', limited(30_000));
    await bench.fail('c', limited(10_000));
    await bench.come('d');
    expect(bench.log.at(-1)).toBe('d: slow down 30000');
  });

  it('forgives when it is told to', async () => {
    const bench = new Bench(1);
    await bench.come('a');
    await bench.fail('a', limited(20_000));
    bench.admission.forgive();
    await bench.come('b');
    expect(bench.log.at(-1)).toBe('b@0');
  });
});

describe('admission to several accounts', () => {
  it('goes where least is under way, in turn', async () => {
    const bench = new Bench(undefined, undefined, undefined);
    for (const name of ['a', 'b', 'c', 'd']) await bench.come(name);
    expect(bench.log).toEqual(['a@0', 'b@1', 'c@2', 'd@0']);
    for (const name of ['a', 'b', 'c', 'd']) await bench.end(name);
    await bench.come('e');
    expect(bench.log.at(-1)).toBe('e@1');
  });

  it('a conversation stays with its account, and waits for it while others are free', async () => {
    const bench = new Bench(1, 1);
    await bench.come('a', { conversation: 'x' });
    await bench.end('a');
    await bench.come('b');
    await bench.end('b');
    await bench.come('c', { conversation: 'x' });
    await bench.come('d', { conversation: 'x' });
    expect([bench.log, bench.admission.waiting]).toEqual([['a@0', 'b@1', 'c@0'], 1]);
    await bench.come('e');
    expect(bench.log.at(-1)).toBe('e@1');
    await bench.end('c');
    expect(bench.log.at(-1)).toBe('d@0');
  });

  it('moves when its account is to be left alone, and stays where it has moved', async () => {
    const bench = new Bench(undefined, undefined);
    await bench.come('a', { conversation: 'x' });
    await bench.fail('a', limited(20_000));
    await bench.come('b', { conversation: 'x' });
    await bench.end('b');
    await bench.later(60_000);
    await bench.come('c', { conversation: 'x' });
    expect(bench.log).toEqual(['a@0', 'b@1', 'c@1']);
  });

  it('comes back to try its account when that may be tried, and goes elsewhere while another one does', async () => {
    const bench = new Bench(undefined, undefined);
    await bench.come('a', { conversation: 'x' });
    await bench.fail('a', limited(20_000));
    await bench.later(20_000);
    await bench.come('b', { conversation: 'x' });
    await bench.come('c', { conversation: 'x' });
    expect(bench.log).toEqual(['a@0', 'b@0', 'c@1']);
  });

  it.each([
    ['a rate limit', limited()],
    ['a used up quota', quota],
    ['a refused key', new AuthError('no', { backend: 'acme' })],
    ['a connection that breaks', new TransientError('gone', { backend: 'acme', kind: 'network' })],
  ])('after %s the others have what there is to do', async (_name, error) => {
    const bench = new Bench(undefined, undefined);
    await bench.come('a');
    await bench.fail('a', error);
    for (const name of ['b', 'c']) await bench.come(name);
    expect(bench.log).toEqual(['a@0', 'b@1', 'c@1']);
  });

  it('an account that was refused is tried when there is nothing else, one request at a time', async () => {
    const bench = new Bench(undefined, undefined);
    for (const name of ['a', 'b']) await bench.come(name);
    await bench.fail('a', quota);
    await bench.fail('b', limited(20_000));
    for (const name of ['c', 'd']) await bench.come(name);
    expect([bench.log, bench.admission.waiting]).toEqual([['a@0', 'b@1', 'c@0'], 1]);
    await bench.fail('c', quota);
    expect(bench.log.at(-1)).toBe('d@0');
  });

  it('who has tried one goes to another, or is told when all the others are to be left alone', async () => {
    const bench = new Bench(undefined, undefined);
    await bench.come('a', { tried: [0] });
    expect(bench.log).toEqual(['a@1']);
    await bench.fail('a', limited(20_000));
    await bench.come('b', { tried: [0] });
    expect(bench.log.at(-1)).toBe('b: slow down 20000');
    await bench.come('c');
    expect(bench.log.at(-1)).toBe('c@0');
  });

  it('who waits for a full one is let in elsewhere as soon as time allows', async () => {
    const bench = new Bench(1, undefined);
    await bench.come('a');
    await bench.come('b');
    await bench.fail('b', limited(20_000));
    await bench.come('c');
    expect([bench.log, bench.clock.sleeping]).toEqual([['a@0', 'b@1'], 1]);
    await bench.later(20_000);
    expect(bench.log.at(-1)).toBe('c@1');
  });

  it('when all are to be left alone, the one that may be asked first says how long', async () => {
    const bench = new Bench(undefined, undefined);
    for (const name of ['a', 'b']) await bench.come(name);
    await bench.fail('a', limited(30_000));
    await bench.fail('b', limited(20_000));
    await bench.come('c');
    expect(bench.log.at(-1)).toBe('c: slow down 20000');
    expect(bench.admission.verdictOn(limited(30_000)).failure.retryAfterMs).toBe(20_000);
  });

  it('a failure stays what it is while another account may be asked', async () => {
    const bench = new Bench(undefined, undefined);
    await bench.come('a');
    await bench.fail('a', limited(30_000));
    const refused = new RequestError('no', { backend: 'acme' });
    expect(bench.admission.verdictOn(refused)).toBe(refused);
  });

  it('remembers a limited number of conversations', async () => {
    const bench = new Bench(undefined, undefined);
    await bench.come('first', { conversation: 'first' });
    await bench.end('first');
    for (let i = 0; i < 4_096; i += 1) {
      await bench.admission.admitted({ conversation: `c${i}`, tried: new Set() }, never).then((place) => place.end());
    }
    await bench.come('second', { conversation: 'c4095' });
    await bench.come('again', { conversation: 'first' });
    expect(bench.log.slice(1)).toEqual(['second@0', 'again@1']);
  });
});

it('a thousand requests get through one place in order, in little time', async () => {
  const bench = new Bench(1);
  const order: number[] = [];
  const started = performance.now();
  const all = Array.from({ length: 1_000 }, async (_one, i) => {
    const place = await bench.admission.admitted({ conversation: `c${i}`, tried: new Set() }, never);
    order.push(i);
    await Promise.resolve();
    place.end();
  });
  await Promise.all(all);
  expect(order).toEqual(Array.from({ length: 1_000 }, (_one, i) => i));
  expect(performance.now() - started).toBeLessThan(2_000);
});
