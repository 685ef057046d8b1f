import { illegalArgument, ioError } from './errors.js';
import type { Field } from './fields.js';
import type { Stat } from './file-server.js';
import { Reader } from './reader.js';
import { Writer } from './writer.js';

/** A stat record as it stands on the wire. In a Twstat, all ones (-1 for 64-bit fields) and '' mean "don't touch". */
export interface WireStat extends Stat {
  readonly type: number;
  readonly dev: number;
}

/** The "don't touch" values of a Twstat. A 64-bit field of all ones is read as -1. */
export const KEEP_16 = 0xffff;
export const KEEP_32 = 0xffffffff;
export const KEEP_64 = -1;

/** A Twstat that changes nothing. */
export const untouched: WireStat = {
  type: KEEP_16,
  dev: KEEP_32,
  qid: { type: 0xff, version: KEEP_32, path: KEEP_64 },
  mode: KEEP_32,
  atime: KEEP_32,
  mtime: KEEP_32,
  length: KEEP_64,
  name: '',
  uid: '',
  gid: '',
  muid: '',
};

function readKeep64(from: Reader): number {
  const raw = from.bytes(8);
  if (raw.readUInt32LE(0) === KEEP_32 && raw.readUInt32LE(4) === KEEP_32) return KEEP_64;
  return new Reader().reset(raw, 0, 8).u64();
}

function writeKeep64(to: Writer, value: number): void {
  if (value !== KEEP_64) return to.u64(value);
  to.u32(KEEP_32);
  to.u32(KEEP_32);
}

function readRecord(from: Reader): WireStat {
  return {
    type: from.u16(),
    dev: from.u32(),
    qid: { type: from.u8(), version: from.u32(), path: readKeep64(from) },
    mode: from.u32(),
    atime: from.u32(),
    mtime: from.u32(),
    length: readKeep64(from),
    name: from.text(),
    uid: from.text(),
    gid: from.text(),
    muid: from.text(),
  };
}

function writeRecord(to: Writer, stat: WireStat): void {
  const start = to.position;
  to.u16(0);
  to.u16(stat.type);
  to.u32(stat.dev);
  to.u8(stat.qid.type);
  to.u32(stat.qid.version);
  writeKeep64(to, stat.qid.path);
  to.u32(stat.mode);
  to.u32(stat.atime);
  to.u32(stat.mtime);
  writeKeep64(to, stat.length);
  for (const value of [stat.name, stat.uid, stat.gid, stat.muid]) to.text(value);
  const size = to.position - start - 2;
  if (size > 0xffff - 2) throw ioError('stat too long');
  to.setU16(start, size);
}

/** The stat of Rstat and Twstat: a record within a counted field, each with its own length. */
export const statField: Field<WireStat> = {
  read: (from) => {
    const outer = from.u16();
    const inner = from.u16();
    if (outer !== inner + 2 || inner !== from.remaining) throw illegalArgument('stat size');
    return readRecord(from);
  },
  write: (to, stat) => {
    const start = to.position;
    to.u16(0);
    writeRecord(to, stat);
    to.setU16(start, to.position - start - 2);
  },
};

export function toWire(stat: Stat): WireStat {
  return { type: 0, dev: 0, ...stat };
}

/** Record of a directory read. */
export function encodeStat(to: Writer, stat: Stat): void {
  writeRecord(to, toWire(stat));
}

/** The records of a directory read, or NinepError when they are cut or their sizes are wrong. */
export function decodeStats(bytes: Uint8Array): Stat[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const stats: Stat[] = [];
  for (let at = 0; at < all.length;) {
    const head = new Reader().reset(all, at, all.length);
    const size = head.u16();
    if (size > head.remaining) throw illegalArgument('stat size');
    stats.push(readWhole(new Reader().reset(all, at + 2, at + 2 + size)));
    at += 2 + size;
  }
  return stats;
}

function readWhole(record: Reader): Stat {
  const stat = fromWire(readRecord(record));
  if (record.remaining !== 0) throw illegalArgument('stat size');
  return stat;
}

const orHighest = (value: number): number => (value === KEEP_64 ? Number.MAX_SAFE_INTEGER : value);

/** A stat that a server told: without type and dev, numbers saturated. */
export function fromWire({ type: _type, dev: _dev, ...stat }: WireStat): Stat {
  return { ...stat, qid: { ...stat.qid, path: orHighest(stat.qid.path) }, length: orHighest(stat.length) };
}
