import type { ServedNode, Stat, StatChange } from '#ninep';
import { attributes, isDirectory, type Owner } from './attributes.js';
import { FuseError } from './errors.js';
import { nodeOf, type MountState } from './mount-state.js';
import { accessIn, setattrField, setattrIn, statfsOut } from './protocol.js';
import type { Request } from './request.js';

const PERMISSIONS = 0o777;
const BLOCK = 4096;
const LONGEST_NAME = 255;

export async function getattr(mount: MountState, request: Request): Promise<Buffer> {
  return told(mount, request, await nodeOf(mount, request));
}

async function told(mount: MountState, { nodeid }: Request, node: ServedNode): Promise<Buffer> {
  const stat = await node.stat();
  mount.inodes.told(nodeid, stat.length);
  return attributes(stat, mount.owner);
}

export async function setattr(mount: MountState, request: Request): Promise<Buffer> {
  const asked = setattrIn.decode(request.body);
  const node = await nodeOf(mount, request);
  checkOwner(asked, mount.owner);
  const change = changeOf(asked, await node.stat());
  if (Object.keys(change).length > 0) await node.wstat(change, request.signal);
  return told(mount, request, node);
}

type Asked = ReturnType<typeof setattrIn.decode>;

/** Files belong to whoever mounts; asking for that changes nothing. */
function checkOwner({ valid, uid, gid }: Asked, owner: Owner): void {
  const changes = (valid & setattrField.uid && uid !== owner.uid) || (valid & setattrField.gid && gid !== owner.gid);
  if (changes) throw new FuseError('EPERM');
}

function changeOf({ valid, mode, size, atime, mtime }: Asked, stat: Stat): StatChange {
  const { mode: modeBit, size: sizeBit, atime: atimeBit, mtime: mtimeBit, atimeNow, mtimeNow } = setattrField;
  const now = Math.floor(Date.now() / 1000);
  const permissions = mode & PERMISSIONS;
  return {
    ...(valid & modeBit && permissions !== (stat.mode & PERMISSIONS) && { mode: stat.mode - (stat.mode & PERMISSIONS) + permissions }),
    ...(valid & sizeBit && !isDirectory(stat) && { length: size }),
    ...(valid & atimeBit && { atime: valid & atimeNow ? now : atime }),
    ...(valid & mtimeBit && { mtime: valid & mtimeNow ? now : mtime }),
  };
}

/** What one of owner, group and others may, everybody on this mount may: the tree decides at open. */
export function access(mount: MountState, { nodeid, body }: Request): void {
  const { mask } = accessIn.decode(body);
  const { mode } = mount.inodes.get(nodeid);
  const granted = (mode | (mode >>> 3) | (mode >>> 6)) & 7;
  if (mask & ~granted) throw new FuseError('EACCES');
}

export function statfs(): Buffer {
  return statfsOut.encode({ bsize: BLOCK, frsize: BLOCK, namelen: LONGEST_NAME });
}
