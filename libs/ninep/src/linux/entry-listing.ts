import { chain, type Awaitable } from '../awaitable.js';
import { qid as qidField } from '../fields.js';
import { QTDIR, type Qid, type ServedNode, type Stat } from '../file-server.js';
import type { Listing } from '../listing.js';
import { Records } from '../records.js';
import type { Writer } from '../writer.js';

interface Entry {
  readonly name: string;
  readonly qid: Qid;
}

/** Numbers of readdir(3). */
const DT_DIR = 4;
const DT_REG = 8;

/**
 * As Treaddir reads: whole entries, each with a cookie that goes on behind it. A snapshot is taken at
 * offset 0; any cookie of it may be gone back to. `.` and `..` come first.
 */
export class EntryListing implements Listing {
  readonly by = 'Treaddir';
  #records: Records | undefined;

  constructor(private readonly node: ServedNode) {}

  /** `offset` is 0 or a cookie; beyond the last one there is nothing. */
  read(offset: number, count: number): Awaitable<Uint8Array> {
    const records = offset === 0 || this.#records === undefined ? this.#take() : this.#records;
    return chain(records, (taken) => taken.from(offset, count).bytes);
  }

  async #take(): Promise<Records> {
    const { qid } = this.node;
    const parent = (await this.node.walk('..')) ?? this.node;
    this.#records = recordsOf({ name: '.', qid }, { name: '..', qid: parent.qid }, await this.node.list());
    return this.#records;
  }
}

interface Encoded {
  readonly self: Entry;
  readonly parent: Entry;
  readonly records: Records;
}

const encoded = new WeakMap<readonly Stat[], Encoded>();

/** A list that is told again unchanged, to whomever, is not encoded again. */
function recordsOf(self: Entry, parent: Entry, stats: readonly Stat[]): Records {
  const before = encoded.get(stats);
  if (before && isSame(before.self.qid, self.qid) && isSame(before.parent.qid, parent.qid)) return before.records;
  const records = Records.of([self, parent, ...stats], writeEntry);
  encoded.set(stats, { self, parent, records });
  return records;
}

function isSame(a: Qid, b: Qid): boolean {
  return a.path === b.path && a.version === b.version && a.type === b.type;
}

function writeEntry(to: Writer, { name, qid }: Entry, index: number): void {
  qidField.write(to, qid);
  to.u64(index + 1);
  to.u8(qid.type & QTDIR ? DT_DIR : DT_REG);
  to.text(name);
}
