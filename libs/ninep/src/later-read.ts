import type { Later, Settled } from './awaitable.js';
import type { Fcall } from './fcall.js';

/** What a Tread asks for, as far as its reply is concerned. */
export interface AskedRead {
  readonly tag: number;
  readonly count: number;
}

/** The Rread to bytes that come later. */
export class LaterRead implements Settled<Uint8Array> {
  private waiting: Settled<Fcall> | undefined;

  constructor(
    private readonly data: Later<Uint8Array>,
    private readonly asked: AskedRead,
  ) {}

  whenSettled(waiting: Settled<Fcall>): void {
    this.waiting = waiting;
    this.data.whenSettled(this);
  }

  there(bytes: Uint8Array): void {
    if (bytes.length > this.asked.count) this.failed(tooMany(bytes, this.asked));
    else this.waiting?.there(readReply(bytes, this.asked));
  }

  failed(error: unknown): void {
    this.waiting?.failed(error);
  }
}

/** RangeError for more bytes than were asked for. */
export function readReply(data: Uint8Array, asked: AskedRead): Fcall {
  if (data.length > asked.count) throw tooMany(data, asked);
  return { type: 'Rread', tag: asked.tag, data };
}

function tooMany({ length }: Uint8Array, { count }: AskedRead): RangeError {
  return new RangeError(`a read of ${count} bytes gave ${length}`);
}
