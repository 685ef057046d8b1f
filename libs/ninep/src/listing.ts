import { chain, type Awaitable } from './awaitable.js';
import { encodeStat } from './dir.js';
import { illegalArgument, illegalOffset } from './errors.js';
import type { ServedNode, Stat } from './file-server.js';
import { Writer } from './writer.js';

/** The reads of one open directory: a snapshot is taken at offset 0 and told in whole records. */
export class Listing {
  #records: Buffer = Buffer.alloc(0);
  #ends: readonly number[] = [];
  #told = 0;
  #position = 0;

  constructor(private readonly node: ServedNode) {}

  /** `offset` is 0, or exactly where the last read ended. */
  read(offset: number, count: number): Awaitable<Uint8Array> {
    if (offset === 0) return chain(this.node.list(), (stats) => this.#begin(stats).#next(count));
    if (offset !== this.#position) throw illegalOffset();
    return this.#next(count);
  }

  #begin(stats: readonly Stat[]): this {
    const writer = new Writer();
    this.#ends = stats.map((stat) => {
      encodeStat(writer, stat);
      writer.commit();
      return writer.length;
    });
    this.#records = Buffer.concat(writer.take());
    this.#told = this.#position = 0;
    return this;
  }

  #next(count: number): Uint8Array {
    const start = this.#position;
    let end = start;
    for (let next = this.#ends[this.#told]; next !== undefined && next - start <= count; next = this.#ends[this.#told]) {
      end = next;
      this.#told++;
    }
    if (end === start && start < this.#records.length) throw illegalArgument('count too small for an entry');
    this.#position = end;
    return this.#records.subarray(start, end);
  }
}
