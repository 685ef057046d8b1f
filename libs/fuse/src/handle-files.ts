import { constants } from 'node:fs';
import { openMode, type OpenMode, type ServedNode } from '#ninep';
import { hasDescriptor, processOf } from './descriptors.js';
import { FuseError } from './errors.js';
import { FileHandle } from './file-handle.js';
import { nodeOf, type MountState, type OpenedFile } from './mount-state.js';
import { handleIn, ioIn, openFlag, openIn, openOut, writeOut } from './protocol.js';
import type { Request } from './request.js';

const ACCESS = 3;
const WRITABLE = 0o222;
const READABLE_BY_ALL = 0o004;

export async function open(mount: MountState, request: Request): Promise<Buffer> {
  const { flags } = openIn.decode(request.body);
  const inode = mount.inodes.get(request.nodeid);
  const node = await nodeOf(mount, request);
  const opening = { node, mode: modeOf(flags), isStream: isStream(inode.mode), isAppend: (flags & constants.O_APPEND) !== 0 };
  const handle = new FileHandle(opening, await openFor(request, node, opening.mode));
  const fh = mount.files.add({ handle, inode, opener: handle.mayWrite ? processOf(request.pid) : 0 });
  return openOut.encode({ fh, openFlags: flagsOf(handle.mayWrite, opening.isStream) });
}

/** A caller that has gone meanwhile leaves no open file behind. */
async function openFor(request: Request, node: ServedNode, mode: OpenMode) {
  const file = await node.open(mode);
  if (!request.isAborted) return file;
  await file.close('hangup');
  throw new FuseError('EINTR');
}

/** O_RDONLY, O_WRONLY and O_RDWR are 9P's own numbers. Truncation is for those who may write, as in 9P. */
function modeOf(flags: number): OpenMode {
  const access = flags & ACCESS;
  const truncates = (flags & constants.O_TRUNC) !== 0 && access !== openMode.read;
  return truncates ? access | openMode.truncate : access;
}

/** Files that are written to and answer, or are only written to: positions mean nothing there. Others are data or text, read by offset. */
function isStream(mode: number): boolean {
  return (mode & WRITABLE) !== 0 && (mode & READABLE_BY_ALL) === 0;
}

function flagsOf(mayWrite: boolean, stream: boolean): number {
  return openFlag.directIo | (stream ? openFlag.stream : 0) | (mayWrite ? 0 : openFlag.noFlush);
}

export async function read(mount: MountState, request: Request): Promise<Uint8Array> {
  const { fh, offset, size } = ioIn.decode(request.body);
  const { handle, inode } = mount.files.get(fh);
  const data = await handle.read({ offset, count: size, length: inode.length }, request.signal);
  if (data.length > size) throw new RangeError(`a read of ${size} bytes gave ${data.length}`);
  return data;
}

export async function write(mount: MountState, request: Request): Promise<Buffer> {
  const { fh, offset, size } = ioIn.decode(request.body);
  const data = request.body.subarray(ioIn.size, ioIn.size + size);
  await mount.files.get(fh).handle.write(offset, data, request.signal);
  return writeOut.encode({ size: data.length });
}

/**
 * A descriptor is being closed, one of perhaps many of the same open. Only here can the one who closes
 * still be told what became of the message, so it takes effect when the process that opened the file has
 * no other descriptor of it: `echo x > prompt` fails if the prompt is refused, while the parts of
 * `{ cat a; cat b; } > prompt` and of `exec 3>prompt; echo a >&3; echo b >&3` stay one message.
 * Whatever this misses takes effect when the last descriptor is gone, unheard.
 */
export async function flush(mount: MountState, request: Request): Promise<void> {
  const opened = mount.files.get(handleIn.decode(request.body).fh);
  if (opened.handle.canCommit && isLetGo(opened, request.pid)) await opened.handle.commit();
}

function isLetGo({ opener, inode }: OpenedFile, closer: number): boolean {
  return processOf(closer) === opener && !hasDescriptor(opener, inode);
}

/** Nobody waits for it. */
export function release(mount: MountState, { body }: Request): void {
  const { handle } = mount.files.take(handleIn.decode(body).fh);
  handle.close('clunk').catch(mount.onError);
}

/** Nothing is kept back anywhere. */
export function fsync(mount: MountState, { body }: Request): void {
  mount.files.get(handleIn.decode(body).fh);
}
