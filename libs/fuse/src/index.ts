export { Mount, type MountOptions } from './mount.js';
export { unmountPoint } from './mount-point.js';
export { RemoteTree, type RemoteTreeOptions } from './remote-tree.js';
export { FuseServer, type FuseServerOptions } from './fuse-server.js';
export type { Attachment, MountedTree } from './views.js';
export { MountError } from './errors.js';
