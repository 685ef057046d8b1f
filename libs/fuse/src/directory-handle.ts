import type { ServedNode, Stat } from '#ninep';
import { inodeNumber, modeOf } from './attributes.js';
import { direntHead } from './protocol.js';

const ALIGNMENT = 8;
const TYPE_SHIFT = 12;

interface Entry {
  readonly name: string;
  readonly ino: number;
  readonly mode: number;
}

/** The reads of one open directory: what is listed is what was there when its first entry was asked for. */
export class DirectoryHandle {
  #entries: readonly Entry[] = [];

  /** `parent`: the qid path of `..`. */
  constructor(
    private readonly node: ServedNode,
    private readonly parent: number,
  ) {}

  /** Whole entries, at most `size` bytes of them; `offset` is how many came before. */
  async read(offset: number, size: number): Promise<Buffer> {
    if (offset === 0) this.#entries = this.#dots().concat((await this.node.list()).map(entryOf));
    const records: Buffer[] = [];
    for (let [at, left] = [offset, size]; at < this.#entries.length; at++) {
      const record = recordOf(this.#entries[at], at + 1);
      if (record.length > left) break;
      left -= record.length;
      records.push(record);
    }
    return Buffer.concat(records);
  }

  #dots(): Entry[] {
    const mode = 0o040000;
    return [
      { name: '.', ino: inodeNumber(this.node.qid.path), mode },
      { name: '..', ino: inodeNumber(this.parent), mode },
    ];
  }
}

function entryOf(stat: Stat): Entry {
  return { name: stat.name, ino: inodeNumber(stat.qid.path), mode: modeOf(stat) };
}

function recordOf(entry: Entry | undefined, next: number): Buffer {
  if (!entry) return Buffer.alloc(0);
  const name = Buffer.from(entry.name);
  const length = direntHead.size + name.length;
  const record = Buffer.alloc(length + ((ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT));
  direntHead.write(record, 0, { ino: entry.ino, off: next, namelen: name.length, type: entry.mode >>> TYPE_SHIFT });
  name.copy(record, direntHead.size);
  return record;
}
