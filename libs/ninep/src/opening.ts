import { MAX_NAMES } from './fcall.js';
import type { OpenMode } from './file-server.js';
import type { Link } from './link.js';
import { RemoteFile } from './remote-file.js';
import { namesOf, walkLeg, type Route } from './remote-fid.js';

/** A file that can be read and written though its server has not said yet whether it opens. Whatever happens, it is to be clunked. */
export interface Opening {
  readonly file: RemoteFile;
  readonly opened: Promise<unknown>;
}

/** One Twalk is enough to get there. */
export function isShort({ path }: Route): boolean {
  return namesOf(path).length <= MAX_NAMES;
}

/**
 * Sends walk and open of a short route at once, so that what is asked of the file next leaves with them. Only for servers that keep
 * the order of what comes for one fid, and whose messages are of one size: others would have to answer about a fid that they do not know.
 */
export function openAhead(link: Link, route: Route, mode: OpenMode, signal: AbortSignal | undefined): Opening {
  signal?.throwIfAborted();
  const fid = link.fids.take();
  const walked = walkLeg(link, { from: route.from, to: fid, names: namesOf(route.path) }, signal);
  const opened = link.call((tag) => ({ type: 'Topen', tag, fid, mode }), 'Ropen', signal);
  return { file: new RemoteFile(link, fid, { qidType: 0, iounit: 0 }), opened: inOrder(walked, opened) };
}

/** The outcome of `then`, or the failure of `first`, which is what makes `then` fail. */
export async function inOrder<T>(first: Promise<unknown>, then: Promise<T>): Promise<T> {
  void Promise.allSettled([first, then]); // when the first fails nobody waits for the other
  await first;
  return then;
}
