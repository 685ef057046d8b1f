/** Where the source of an iteration puts what it has. */
export interface Sink<T> {
  push(values: Iterable<T>): void;
  /** `stop` is called once the consumer takes no more. */
  whenStopped(stop: () => void): void;
}

/**
 * An iteration over what `source` pushes; it begins with the first `next`, ends when the source resolves, and fails as it
 * rejects, after what was pushed before. For sources that are faster as callbacks: a value costs one promise on its way.
 * One consumer, one `next` at a time; what it has not taken is kept.
 */
export function pushed<T>(source: (sink: Sink<T>) => Promise<void>): AsyncIterable<T> {
  return { [Symbol.asyncIterator]: () => new Pushed(source) };
}

type Result<T> = IteratorResult<T, undefined>;

interface Waiting<T> {
  readonly resolve: (result: Result<T> | Promise<Result<T>>) => void;
}

class Pushed<T> implements AsyncIterator<T, undefined>, Sink<T> {
  private held: T[] = [];
  private taken = 0;
  private hasBegun = false;
  private end: (() => Promise<Result<T>>) | undefined;
  private waiting: Waiting<T> | undefined;
  private stop: (() => void) | undefined;

  constructor(private readonly source: (sink: Sink<T>) => Promise<void>) {}

  push(values: Iterable<T>): void {
    if (this.end) return;
    for (const value of values) {
      if (this.waiting) this.settle()?.resolve({ done: false, value });
      else this.held.push(value);
    }
  }

  whenStopped(stop: () => void): void {
    this.stop = stop;
  }

  next(): Promise<Result<T>> {
    this.begin();
    const value = this.held[this.taken];
    if (value !== undefined) return Promise.resolve({ done: false, value: this.take(value) });
    if (this.end) return this.finish(this.end);
    return new Promise((resolve) => {
      this.waiting = { resolve };
    });
  }

  return(): Promise<Result<T>> {
    this.held = [];
    this.taken = 0;
    this.end = over;
    this.hasBegun = true;
    this.stop?.();
    return over();
  }

  private begin(): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    void this.source(this).then(
      () => this.endWith(over),
      (error: unknown) => this.endWith(() => failed(error)),
    );
  }

  private endWith(end: () => Promise<Result<T>>): void {
    if (this.end) return;
    this.end = end;
    this.settle()?.resolve(this.finish(end));
  }

  /** Told once; after that there is nothing more. */
  private finish(end: () => Promise<Result<T>>): Promise<Result<T>> {
    this.end = over;
    return end();
  }

  private settle(): Waiting<T> | undefined {
    const { waiting } = this;
    this.waiting = undefined;
    return waiting;
  }

  private take(value: T): T {
    this.taken += 1;
    if (this.taken === this.held.length) {
      this.held = [];
      this.taken = 0;
    }
    return value;
  }
}

async function failed(error: unknown): Promise<never> {
  throw error;
}

function over(): Promise<IteratorReturnResult<undefined>> {
  return Promise.resolve({ done: true, value: undefined });
}
