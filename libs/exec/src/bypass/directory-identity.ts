import { statSync } from 'node:fs';

/** Tells a directory from another one that has been put in its place under the same path, also where that got its number; undefined when there is none. */
export function directoryIdentity(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat?.isDirectory() === true ? `${stat.dev}:${stat.ino}:${stat.birthtimeNs}` : undefined;
}
