import type { Access } from './types.js';

/**
 * Whether the mode bits grant an access. Everybody who attached is in the tree's group or owns it, so the
 * bits of owner and group count and those of others never do. Truncation is a way of writing.
 */
export function permits(mode: number, access: Access): boolean {
  const granted = (mode >> 6) | (mode >> 3);
  const needed = (access.read ? 4 : 0) | (access.write || access.truncate ? 2 : 0);
  return (granted & needed) === needed;
}
