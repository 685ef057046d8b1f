import { openMode } from '#ninep';
import { DirectoryHandle } from './directory-handle.js';
import { nodeOf, type MountState } from './mount-state.js';
import { handleIn, ioIn, openOut } from './protocol.js';
import type { Request } from './request.js';

export async function opendir(mount: MountState, request: Request): Promise<Buffer> {
  const inode = mount.inodes.get(request.nodeid);
  const node = await nodeOf(mount, request);
  const file = await node.open(openMode.read);
  await file.close('clunk'); // it was only asked whether that may be: the listing is not read through it
  request.throwIfAborted();
  const fh = mount.directories.add(new DirectoryHandle(node, (inode.parent ?? inode).path));
  return openOut.encode({ fh });
}

export function readdir(mount: MountState, { body }: Request): Promise<Buffer> {
  const { fh, offset, size } = ioIn.decode(body);
  return mount.directories.get(fh).read(offset, size);
}

export function releasedir(mount: MountState, { body }: Request): void {
  mount.directories.take(handleIn.decode(body).fh);
}
