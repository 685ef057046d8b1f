import type { Awaitable } from './awaitable.js';
import type { Fcall, FcallOf } from './fcall.js';
import type { Session } from './session.js';

/** Answers when the old request has ended: a success is told before, an error is not told. */
export function flush(session: Session, { tag, oldtag }: FcallOf<'Tflush'>): Awaitable<Fcall> {
  const reply: Fcall = { type: 'Rflush', tag };
  const old = session.requests.find(oldtag);
  if (old === undefined) return reply;
  old.flushed = true;
  const ended = old.whenDone();
  old.abort();
  return ended.then(() => reply);
}
