import type { StreamEvent } from '#model';

type Events = AsyncIterator<StreamEvent, unknown>;
type Next = IteratorResult<StreamEvent, undefined>;

/** An answer that has begun, with what was taken of it to know that. */
export interface BegunAnswer {
  readonly first: readonly StreamEvent[];
  readonly rest: Events;
  /** It has failed. */
  readonly failed: (error: unknown) => void;
  /** Called once, however it ends. */
  readonly ended: () => void;
}

/**
 * Opens an answer with the first `next`, and tells how it ends. No generator: that would cost as much for each piece of an
 * answer as all else that is done with it. One `next` at a time.
 */
export class AdmittedAnswer implements AsyncIterableIterator<StreamEvent, undefined> {
  private answer: BegunAnswer | undefined;
  private taken = 0;
  private isOver = false;

  constructor(private readonly open: () => Promise<BegunAnswer>) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Next> {
    if (this.isOver) return Promise.resolve(over);
    return this.answer ? this.nextOf(this.answer) : this.begin();
  }

  async return(): Promise<Next> {
    this.end();
    await this.answer?.rest.return?.();
    return over;
  }

  private async begin(): Promise<Next> {
    const answer = await this.opened();
    this.answer = answer;
    if (!this.isOver) return this.nextOf(answer);
    answer.ended();
    await answer.rest.return?.();
    return over;
  }

  private async opened(): Promise<BegunAnswer> {
    try {
      return await this.open();
    } catch (error) {
      this.isOver = true;
      throw error;
    }
  }

  private nextOf({ first, rest }: BegunAnswer): Promise<Next> {
    const value = first[this.taken];
    if (value === undefined) return rest.next().then(this.told, this.failed);
    this.taken += 1;
    return Promise.resolve({ done: false, value });
  }

  private readonly told = (next: IteratorResult<StreamEvent, unknown>): Next => {
    if (!next.done) return next;
    this.end();
    return over;
  };

  private readonly failed = (error: unknown): never => {
    this.answer?.failed(error);
    this.end();
    throw error;
  };

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.answer?.ended();
  }
}

const over: Next = { done: true, value: undefined };
