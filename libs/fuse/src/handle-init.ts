import { FuseError } from './errors.js';
import type { MountState } from './mount-state.js';
import { initFlag, initIn, initOut, MAJOR, MAX_PAGES, MAX_WRITE, MINOR } from './protocol.js';
import type { Request } from './request.js';

/** Requests that nobody waits for, as RELEASE: more than these and the kernel holds back. */
const MAX_BACKGROUND = 256;

/** Agrees on what both sides know. A kernel with a newer major version asks again in ours. */
export function init(_mount: MountState, { body }: Request): Buffer {
  const { major, minor, maxReadahead, flags } = initIn.decode(body);
  if (major < MAJOR) throw new FuseError('EPROTO');
  const wanted = Object.values(initFlag).reduce((all, flag) => all | flag, 0);
  return initOut.encode({
    major: MAJOR,
    minor: Math.min(minor, MINOR),
    maxReadahead,
    flags: (flags & wanted) >>> 0,
    maxBackground: MAX_BACKGROUND,
    congestionThreshold: MAX_BACKGROUND,
    maxWrite: MAX_WRITE,
    timeGran: 1_000_000_000,
    maxPages: MAX_PAGES,
  });
}
