import type { Awaitable } from '#ninep';
import { FuseError } from './errors.js';
import { access, getattr, setattr, statfs } from './handle-attributes.js';
import { opendir, readdir, releasedir } from './handle-directories.js';
import { flush, fsync, open, read, release, write } from './handle-files.js';
import { init } from './handle-init.js';
import { lookup, remove, rename, rename2 } from './handle-names.js';
import type { MountState } from './mount-state.js';
import { opcode } from './protocol.js';
import type { Request } from './request.js';

/** Answers a request: what it gives is the body of the reply, what it throws the errno. */
export interface Operation {
  run(mount: MountState, request: Request): Awaitable<Uint8Array | void>;
  /** May wait, so an INTERRUPT aborts it; it is answered when it has settled, since only then is known what it did. Others are answered as ever, unless they hang. */
  readonly settles?: boolean;
}

const refuse = (posix: string): Operation => ({
  run: () => {
    throw new FuseError(posix);
  },
});

const nothing: Operation = { run: () => undefined };

/** Everything else is ENOSYS, after which the kernel does not ask again: attributes of names, locks, polls, seeks, copies. */
export const operations: ReadonlyMap<number, Operation> = new Map([
  [opcode.init, { run: init }],
  [opcode.destroy, nothing],
  [opcode.lookup, { run: lookup }],
  [opcode.getattr, { run: getattr }],
  [opcode.setattr, { run: setattr, settles: true }],
  [opcode.access, { run: access }],
  [opcode.statfs, { run: statfs }],
  [opcode.open, { run: open }],
  [opcode.read, { run: read, settles: true }],
  [opcode.write, { run: write, settles: true }],
  [opcode.flush, { run: flush, settles: true }],
  [opcode.release, { run: release }],
  [opcode.fsync, { run: fsync }],
  [opcode.opendir, { run: opendir }],
  [opcode.readdir, { run: readdir }],
  [opcode.releasedir, { run: releasedir }],
  [opcode.fsyncdir, nothing],
  [opcode.unlink, { run: remove, settles: true }],
  [opcode.rmdir, { run: remove, settles: true }],
  [opcode.rename, { run: rename, settles: true }],
  [opcode.rename2, { run: rename2, settles: true }],
  // Names come and go by the tree's own doing.
  [opcode.create, refuse('EACCES')],
  [opcode.mknod, refuse('EACCES')],
  [opcode.mkdir, refuse('EACCES')],
  [opcode.symlink, refuse('EPERM')],
  [opcode.link, refuse('EPERM')],
  [opcode.tmpfile, refuse('EOPNOTSUPP')],
  [opcode.readlink, refuse('EINVAL')],
  [opcode.ioctl, refuse('ENOTTY')],
]);
