import { chain, isLater, isPromise, type Awaitable, type Later } from './awaitable.js';
import { badFid, isADirectory } from './errors.js';
import { READ_OVERHEAD, type Fcall, type FcallOf } from './fcall.js';
import type { Fid, OpenState } from './fids.js';
import { mayRead, mayWrite } from './handle-open.js';
import { LaterRead, readReply } from './later-read.js';
import type { Request } from './requests.js';
import type { Session } from './session.js';

/** The part of a file that a Tread asks for. */
interface Range {
  readonly offset: number;
  readonly count: number;
}

export function read(
  session: Session,
  { tag, fid: number, offset, count: wanted }: FcallOf<'Tread'>,
  request: Request,
): Awaitable<Fcall> | LaterRead {
  const fid = session.fids.get(number);
  const asked = { tag, offset, count: Math.min(wanted, session.msize - READ_OVERHEAD) };
  const data = fid.sequence.isFree ? readFid(fid, asked, request) : fid.sequence.after(async () => readFid(fid, asked, request), request);
  if (isPromise(data)) fid.addReader(request);
  return isLater(data) ? new LaterRead(data, asked) : chain(data, (bytes) => readReply(bytes, asked));
}

function readFid({ state }: Fid, range: Range, request: Request): Awaitable<Uint8Array> | Later<Uint8Array> {
  switch (state.kind) {
    case 'auth':
      return state.conversation.read(range.offset, range.count);
    case 'open':
      return readOpen(state, range, request);
    case 'empty':
    case 'node':
      throw badFid('not open');
  }
}

function readOpen(
  { mode, listing, file }: OpenState,
  { offset, count }: Range,
  request: Request,
): Awaitable<Uint8Array> | Later<Uint8Array> {
  if (!mayRead(mode)) throw badFid('not open for reading');
  if (listing === undefined) return file.read(offset, count, request);
  if (listing.by !== 'Tread') throw isADirectory();
  return listing.read(offset, count);
}

/** What a Twrite puts where. */
interface Part {
  readonly offset: number;
  readonly data: Uint8Array;
}

export function write(session: Session, { tag, fid: number, offset, data }: FcallOf<'Twrite'>, request: Request): Awaitable<Fcall> {
  const fid = session.fids.get(number);
  const part = { offset, data: alone(data) };
  const taken = fid.sequence.change(() => writeFid(fid, part, request), request);
  return chain(taken, (): Fcall => ({ type: 'Rwrite', tag, count: part.data.length }));
}

/** A write may have to wait, and what it is a small part of would wait with it: all that came in one piece. */
function alone(data: Uint8Array): Uint8Array {
  return data.length < data.buffer.byteLength / 2 ? new Uint8Array(data) : data;
}

function writeFid({ state }: Fid, part: Part, request: Request): Awaitable<void> {
  switch (state.kind) {
    case 'auth':
      return state.conversation.write(part.data);
    case 'open':
      return writeOpen(state, part, request);
    case 'empty':
    case 'node':
      throw badFid('not open');
  }
}

function writeOpen({ mode, listing, file }: OpenState, { offset, data }: Part, request: Request): Awaitable<void> {
  if (listing !== undefined) throw isADirectory();
  if (!mayWrite(mode)) throw badFid('not open for writing');
  return data.length === 0 ? undefined : file.write(offset, data, request);
}
