import { illegalArgument, ioError } from './errors.js';
import type { Qid } from './file-server.js';
import type { Reader } from './reader.js';
import type { Writer } from './writer.js';

/** How one field of a message stands on the wire. */
export interface Field<T> {
  read(from: Reader): T;
  write(to: Writer, value: T): void;
}

export const u8: Field<number> = { read: (from) => from.u8(), write: (to, value) => to.u8(value) };
export const u16: Field<number> = { read: (from) => from.u16(), write: (to, value) => to.u16(value) };
export const u32: Field<number> = { read: (from) => from.u32(), write: (to, value) => to.u32(value) };
/** Saturates at 2^53-1. */
export const u64: Field<number> = { read: (from) => from.u64(), write: (to, value) => to.u64(value) };
/** Zero where the message ends before it. */
export const optionalU32: Field<number> = {
  read: (from) => (from.remaining === 0 ? 0 : from.u32()),
  write: (to, value) => to.u32(value),
};
export const text: Field<string> = { read: (from) => from.text(), write: (to, value) => to.text(value) };

export const qid: Field<Qid> = {
  read: (from) => ({ type: from.u8(), version: from.u32(), path: from.u64() }),
  write: (to, value) => {
    to.u8(value.type);
    to.u32(value.version);
    to.u64(value.path);
  },
};

/** A 32-bit count and that many bytes, which are the rest of the message. Read as a view. */
export const data: Field<Uint8Array> = {
  read: (from) => {
    const count = from.u32();
    if (count !== from.remaining) throw illegalArgument('count differs from the message size');
    return from.bytes(count);
  },
  write: (to, value) => {
    to.u32(value.length);
    to.bytes(value);
  },
};

/** A 16-bit count and that many values. */
function listOf<T>(item: Field<T>): Field<readonly T[]> {
  return {
    read: (from) => {
      const values: T[] = [];
      for (let left = from.u16(); left > 0; left--) values.push(item.read(from));
      return values;
    },
    write: (to, values) => {
      if (values.length > 0xffff) throw ioError('list too long');
      to.u16(values.length);
      for (const value of values) item.write(to, value);
    },
  };
}

export const names: Field<readonly string[]> = listOf(text);
export const qids: Field<readonly Qid[]> = listOf(qid);
