import type { ServedNode } from '#ninep';
import { entry } from './attributes.js';
import { FuseError } from './errors.js';
import { nodeOf, viewOf, type MountState } from './mount-state.js';
import { batchForgetIn, forgetIn, forgetOne, rename2In, renameIn } from './protocol.js';
import type { Request } from './request.js';

/** A rename that must not replace anything, which ours never does. */
const NO_REPLACE = 1;

export async function lookup(mount: MountState, request: Request): Promise<Buffer> {
  const [name = ''] = request.names();
  const parent = mount.inodes.get(request.nodeid);
  const view = await viewOf(mount, request);
  const node = await childOf(await mount.views.node(view, parent), name);
  const stat = await node.stat();
  request.throwIfAborted(); // an answer that nobody gets must not be counted
  const inode = mount.inodes.enter({ parent, name, path: stat.qid.path, mode: stat.mode, length: stat.length });
  view.set(inode.id, node);
  return entry({ nodeid: inode.id, stat, isFixed: node.isFixed === true }, mount.owner);
}

async function childOf(directory: ServedNode, name: string): Promise<ServedNode> {
  const node = await directory.walk(name);
  if (!node) throw new FuseError('ENOENT');
  return node;
}

export function forget(mount: MountState, { nodeid, body }: Request): void {
  forgetNode(mount, nodeid, forgetIn.decode(body).nlookup);
}

export function batchForget(mount: MountState, { body }: Request): void {
  const { count } = batchForgetIn.decode(body);
  for (let index = 0; index < count; index++) {
    const { nodeid, nlookup } = forgetOne.decode(body, batchForgetIn.size + index * forgetOne.size);
    forgetNode(mount, nodeid, nlookup);
  }
}

function forgetNode({ inodes, views }: MountState, nodeid: number, lookups: number): void {
  if (inodes.forget(nodeid, lookups)) views.forget(nodeid);
}

/** UNLINK and RMDIR. */
export async function remove(mount: MountState, request: Request): Promise<void> {
  const [name = ''] = request.names();
  const node = await childOf(await nodeOf(mount, request), name);
  await node.remove(request.signal);
}

export function rename(mount: MountState, request: Request): Promise<void> {
  return renameTo(mount, request, { ...renameIn.decode(request.body), flags: 0, names: request.names(renameIn.size) });
}

export function rename2(mount: MountState, request: Request): Promise<void> {
  return renameTo(mount, request, { ...rename2In.decode(request.body), names: request.names(rename2In.size) });
}

interface Renaming {
  readonly newdir: number;
  readonly flags: number;
  readonly names: readonly string[];
}

async function renameTo(mount: MountState, request: Request, { newdir, flags, names }: Renaming): Promise<void> {
  const [name = '', newName = ''] = names;
  if (flags & ~NO_REPLACE) throw new FuseError('EINVAL');
  if (newdir !== request.nodeid) throw new FuseError('EXDEV');
  const node = await childOf(await nodeOf(mount, request), name);
  await mount.views.rename(async () => {
    await node.wstat({ name: newName }, request.signal);
    mount.inodes.renamed(mount.inodes.get(request.nodeid), name, newName);
  });
}
