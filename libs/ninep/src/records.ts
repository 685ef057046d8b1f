import { illegalArgument } from './errors.js';
import { Writer } from './writer.js';

/** Encoded records in a row, cut nowhere but between two of them. */
export class Records {
  private constructor(
    readonly bytes: Buffer,
    private readonly ends: readonly number[],
  ) {}

  static readonly none = new Records(Buffer.alloc(0), []);

  static of<T>(items: readonly T[], write: (to: Writer, item: T, index: number) => void): Records {
    const writer = new Writer();
    const ends = items.map((item, index) => {
      write(writer, item, index);
      writer.commit();
      return writer.length;
    });
    return new Records(Buffer.concat(writer.take()), ends);
  }

  /** As many whole records from number `first` on as `count` bytes hold; none at the end. NinepError when not even one fits. */
  from(first: number, count: number): { readonly bytes: Uint8Array; readonly next: number } {
    const start = first === 0 ? 0 : (this.ends[first - 1] ?? this.bytes.length);
    let next = first;
    for (let end = this.ends[next]; end !== undefined && end - start <= count; end = this.ends[next]) next++;
    if (next === first && start < this.bytes.length) throw illegalArgument('count too small for an entry');
    return { bytes: this.bytes.subarray(start, next === first ? start : this.ends[next - 1]), next };
  }
}
