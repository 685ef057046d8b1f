import { messages, type FcallOf } from './fcall.js';
import type { Reader } from './reader.js';
import type { Writer } from './writer.js';

/*
 * Reads are most of what a server does. The table of messages says all about them too, but going through a table
 * costs more than a short read does, so these two are written out. They are the same on the wire in every dialect.
 */

const HEAD_BYTES = 11;
export const TREAD = messages.Tread.number;

/** The fields of a Tread, as `decodeBody` reads them. */
export function decodeTread(tag: number, from: Reader): FcallOf<'Tread'> {
  return { type: 'Tread', tag, fid: from.u32(), offset: from.u64(), count: from.u32() };
}

/** A whole Rread, as `encode` writes it. */
export function writeRread(to: Writer, { tag, data }: FcallOf<'Rread'>): void {
  to.u32(HEAD_BYTES + data.length);
  to.u8(messages.Rread.number);
  to.u16(tag);
  to.u32(data.length);
  to.bytes(data);
}
