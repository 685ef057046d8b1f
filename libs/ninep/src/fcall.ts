import { statField } from './dir.js';
import { linuxMessages } from './linux/messages.js';
import { data, names, qid, qids, text, u16, u32, u64, u8, type Field } from './fields.js';

/** The messages of 9P2000: their numbers and, in the order of the wire, their fields. */
export const messages = {
  Tversion: { number: 100, fields: { msize: u32, version: text } },
  Rversion: { number: 101, fields: { msize: u32, version: text } },
  Tauth: { number: 102, fields: { afid: u32, uname: text, aname: text } },
  Rauth: { number: 103, fields: { aqid: qid } },
  Tattach: { number: 104, fields: { fid: u32, afid: u32, uname: text, aname: text } },
  Rattach: { number: 105, fields: { qid } },
  Rerror: { number: 107, fields: { ename: text } },
  Tflush: { number: 108, fields: { oldtag: u16 } },
  Rflush: { number: 109, fields: {} },
  Twalk: { number: 110, fields: { fid: u32, newfid: u32, names } },
  Rwalk: { number: 111, fields: { qids } },
  Topen: { number: 112, fields: { fid: u32, mode: u8 } },
  Ropen: { number: 113, fields: { qid, iounit: u32 } },
  Tcreate: { number: 114, fields: { fid: u32, name: text, perm: u32, mode: u8 } },
  Rcreate: { number: 115, fields: { qid, iounit: u32 } },
  Tread: { number: 116, fields: { fid: u32, offset: u64, count: u32 } },
  Rread: { number: 117, fields: { data } },
  Twrite: { number: 118, fields: { fid: u32, offset: u64, data } },
  Rwrite: { number: 119, fields: { count: u32 } },
  Tclunk: { number: 120, fields: { fid: u32 } },
  Rclunk: { number: 121, fields: {} },
  Tremove: { number: 122, fields: { fid: u32 } },
  Rremove: { number: 123, fields: {} },
  Tstat: { number: 124, fields: { fid: u32 } },
  Rstat: { number: 125, fields: { stat: statField } },
  Twstat: { number: 126, fields: { fid: u32, stat: statField } },
  Rwstat: { number: 127, fields: {} },
} as const;

type Messages = typeof messages;
type LinuxMessages = typeof linuxMessages;
type Values<F> = { readonly [K in keyof F]: F[K] extends Field<infer V> ? V : never };
type Shape = { readonly fields: object };
type MessageOf<M extends Readonly<Record<string, Shape>>, K> = K extends keyof M
  ? { readonly type: K; readonly tag: number } & Values<M[K]['fields']>
  : never;

export type MessageType = keyof Messages | keyof LinuxMessages;
/** One message by its type: `FcallOf<'Tread'>`. Tauth and Tattach have a `uid` more in 9P2000.L. */
export type FcallOf<K extends MessageType> = MessageOf<Messages, K> | MessageOf<LinuxMessages, K>;
/** Any message of any dialect. Offsets beyond 2^53-1 are read as 2^53-1. `data` of a decoded message is a view of the frame. */
export type Fcall = FcallOf<MessageType>;

/** The tag of Tversion. */
export const NOTAG = 0xffff;
/** No fid, where a fid may be missing. */
export const NOFID = 0xffffffff;
/** No user number, where there is a name instead. */
export const NO_UID = 0xffffffff;
/** Bytes of size, type and tag. */
export const HEADER_BYTES = 7;
/** Bytes of an Rread besides its data. */
export const READ_OVERHEAD = 11;
/** What iounit leaves for the rest of a Twrite or Rread. */
export const IO_OVERHEAD = 24;
/** The most names of one Twalk. */
export const MAX_NAMES = 16;
