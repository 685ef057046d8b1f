import { ioError, noSuchFile } from './errors.js';
import { MAX_NAMES } from './fcall.js';
import type { Link } from './link.js';

/** The names of a path. Slashes at the ends and double ones count for nothing, and so does `.`. */
export function namesOf(path: string): readonly string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

/** One Twalk. */
interface Leg {
  readonly from: number;
  readonly to: number;
  readonly names: readonly string[];
}

/** Where a walk begins, and the way from there. */
export interface Route {
  readonly from: number;
  readonly path: string;
}

/** Walks a new fid along a path, 16 names at a time, and gives its number. */
export async function walkTo(link: Link, { from, path }: Route, signal: AbortSignal | undefined): Promise<number> {
  const names = namesOf(path);
  const fid = link.fids.take();
  await firstLeg(link, { from, to: fid, names: names.slice(0, MAX_NAMES) }, signal);
  for (let at = MAX_NAMES; at < names.length; at += MAX_NAMES) {
    await orClunk(link, fid, walkLeg(link, { from: fid, to: fid, names: names.slice(at, at + MAX_NAMES) }, signal));
  }
  return fid;
}

async function firstLeg(link: Link, leg: Leg, signal: AbortSignal | undefined): Promise<void> {
  try {
    await walkLeg(link, leg, signal);
  } catch (error) {
    // After an abort the walk may have succeeded; a clunk settles it either way.
    if (signal?.aborted) void Promise.allSettled([link.clunk(leg.to)]);
    else link.fids.release(leg.to);
    throw error;
  }
}

/** Rejects when it does not come all the way. */
export async function walkLeg(link: Link, { from, to, names }: Leg, signal: AbortSignal | undefined): Promise<void> {
  const { qids } = await link.call((tag) => ({ type: 'Twalk', tag, fid: from, newfid: to, names }), 'Rwalk', signal);
  if (qids.length > names.length) throw link.fail(ioError(`bad reply: ${qids.length} qids to a walk of ${names.length}`));
  if (qids.length < names.length) throw noSuchFile();
}

/** Waits for `work` on a fid; when that fails the fid is given up. */
export async function orClunk<T>(link: Link, fid: number, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    void Promise.allSettled([link.clunk(fid)]);
    throw error;
  }
}

/** Tremove: the fid is gone then, whether the file could be removed or not. */
export async function removeFid(link: Link, fid: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await link.call((tag) => ({ type: 'Tremove', tag, fid }), 'Rremove', signal);
  } finally {
    // A flushed Tremove may have left the fid.
    if (signal?.aborted) void Promise.allSettled([link.clunk(fid)]);
    else link.fids.release(fid);
  }
}
