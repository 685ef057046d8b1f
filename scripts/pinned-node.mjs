import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The Node that package-lock.json pins; undefined where it is not installed. */
export function pinnedNode(root) {
  const node = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  return existsSync(node) ? node : undefined;
}
