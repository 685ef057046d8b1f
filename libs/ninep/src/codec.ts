import { ninep2000, type Dialect, type MessageShape } from './dialect.js';
import { illegalArgument, ioError, notSupported } from './errors.js';
import type { Fcall } from './fcall.js';
import { decodeTread, TREAD, writeRread } from './hot-messages.js';
import { Reader } from './reader.js';
import { Writer } from './writer.js';

/** What every message begins with, besides its size. */
export interface Head {
  readonly number: number;
  readonly tag: number;
}

/** Reads size, type and tag of the frame that `from` is at. */
export function decodeHead(from: Reader): Head {
  from.u32();
  return { number: from.u8(), tag: from.u16() };
}

/** Reads the fields after the head. NinepError: unknown type, a field past the end, bytes left over. */
export function decodeBody(dialect: Dialect, head: Head, from: Reader): Fcall {
  const message = head.number === TREAD ? decodeTread(head.tag, from) : decodeByTable(dialect, head, from);
  if (from.remaining !== 0) throw illegalArgument('message longer than its fields');
  return message;
}

function decodeByTable(dialect: Dialect, head: Head, from: Reader): Fcall {
  const shape = dialect.byNumber[head.number];
  if (shape === undefined) throw notSupported(`unknown message type ${head.number}`);
  const message: Record<string, unknown> = { type: shape.type, tag: head.tag };
  for (const [name, field] of shape.fields) message[name] = field.read(from);
  return message as Fcall; // the table that defines Fcall has just filled its fields
}

/** What a message is written to: its dialect, where it goes, the most bytes it may have. */
export interface Target {
  readonly dialect: Dialect;
  readonly writer: Writer;
  readonly msize: number;
}

/** Appends a message. On an error (a text over 64 KiB, a message over the limit) nothing is appended. */
export function encode(target: Target, message: Fcall): void {
  const { dialect, writer, msize } = target;
  try {
    if (message.type === 'Rread') writeRread(writer, message);
    else writeFrame(writer, shapeOf(dialect, message), message);
    if (writer.position > msize) throw ioError('message too long');
    writer.commit();
  } finally {
    writer.rollback();
  }
}

function shapeOf(dialect: Dialect, { type }: Fcall): MessageShape {
  const shape = dialect.byType.get(type);
  if (shape === undefined) throw new TypeError(`${dialect.version} has no ${type}`);
  return shape;
}

function writeFrame(writer: Writer, shape: MessageShape, message: Fcall): void {
  const values: Readonly<Record<string, unknown>> = message;
  writer.u32(0);
  writer.u8(shape.number);
  writer.u16(message.tag);
  for (const [name, field] of shape.fields) field.write(writer, values[name]);
  writer.setU32(0, writer.position);
}

/** One message as bytes, for programs that speak the wire themselves. */
export function encodeMessage(message: Fcall, dialect: Dialect = ninep2000): Buffer {
  const writer = new Writer();
  encode({ dialect, writer, msize: Infinity }, message);
  return Buffer.concat(writer.take());
}

/** One whole frame, its size field included. Throws NinepError, whatever the bytes. */
export function decodeMessage(frame: Uint8Array, dialect: Dialect = ninep2000): Fcall {
  const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.length);
  const from = new Reader().reset(bytes, 0, bytes.length);
  const head = decodeHead(from);
  if (bytes.readUInt32LE(0) !== bytes.length) throw illegalArgument('message size');
  return decodeBody(dialect, head, from);
}
