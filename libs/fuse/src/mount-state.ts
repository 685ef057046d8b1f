import type { ServedNode } from '#ninep';
import type { Owner } from './attributes.js';
import type { Callers } from './callers.js';
import type { DirectoryHandle } from './directory-handle.js';
import type { FileHandle } from './file-handle.js';
import type { Handles } from './handles.js';
import type { Inode, Inodes } from './inodes.js';
import type { Request } from './request.js';
import type { View, Views } from './views.js';

/** An open file, and who opened it. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly inode: Inode;
  /** The process; 0 for a file that was opened for reading only. */
  readonly opener: number;
}

/** All that the requests of one mount work on. */
export interface MountState {
  readonly inodes: Inodes;
  readonly views: Views;
  readonly callers: Callers;
  readonly files: Handles<OpenedFile>;
  readonly directories: Handles<DirectoryHandle>;
  readonly owner: Owner;
  /** Hears of errors that are told to nobody. */
  readonly onError: (error: unknown) => void;
}

export function viewOf({ views, callers }: MountState, { pid }: Request): Promise<View> {
  return views.of(callers.tag(pid));
}

/** The node that a request is about, as its caller sees it. */
export async function nodeOf(mount: MountState, request: Request): Promise<ServedNode> {
  return mount.views.node(await viewOf(mount, request), mount.inodes.get(request.nodeid));
}
