import { chain, type Awaitable } from '../awaitable.js';
import { qid as qidField } from '../fields.js';
import { QTDIR, type Qid, type ServedNode } from '../file-server.js';
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
    const entries: readonly Entry[] = [{ name: '.', qid }, { name: '..', qid: parent.qid }, ...(await this.node.list())];
    this.#records = Records.of(entries, writeEntry);
    return this.#records;
  }
}

function writeEntry(to: Writer, { name, qid }: Entry, index: number): void {
  qidField.write(to, qid);
  to.u64(index + 1);
  to.u8(qid.type & QTDIR ? DT_DIR : DT_REG);
  to.text(name);
}
