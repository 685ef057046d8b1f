import { chain, type Awaitable } from './awaitable.js';
import { encodeStat } from './dir.js';
import { illegalOffset } from './errors.js';
import type { ServedNode, Stat } from './file-server.js';
import { Records } from './records.js';

/** The reads of one open directory. `by` is the message that reads it. */
export interface Listing {
  readonly by: 'Tread' | 'Treaddir';
  read(offset: number, count: number): Awaitable<Uint8Array>;
}

/** As 9P2000 reads: a snapshot is taken at offset 0 and told in whole stat records. */
export class StatListing implements Listing {
  readonly by = 'Tread';
  #records = Records.none;
  #next = 0;
  #position = 0;

  constructor(private readonly node: ServedNode) {}

  /** `offset` is 0, or exactly where the last read ended. */
  read(offset: number, count: number): Awaitable<Uint8Array> {
    if (offset === 0) return chain(this.node.list(), (stats) => this.#begin(recordsOf(stats)).#tell(count));
    if (offset !== this.#position) throw illegalOffset();
    return this.#tell(count);
  }

  #begin(records: Records): this {
    this.#records = records;
    this.#next = this.#position = 0;
    return this;
  }

  #tell(count: number): Uint8Array {
    const { bytes, next } = this.#records.from(this.#next, count);
    this.#next = next;
    this.#position += bytes.length;
    return bytes;
  }
}

const encoded = new WeakMap<readonly Stat[], Records>();

/** A list that is told again unchanged, to whomever, is not encoded again. */
function recordsOf(stats: readonly Stat[]): Records {
  const before = encoded.get(stats);
  if (before) return before;
  const records = Records.of(stats, encodeStat);
  encoded.set(stats, records);
  return records;
}
