import { DirNode } from './dir-node.js';
import { Identities } from './identities.js';
import type { DirSpec, TreeNode } from './types.js';

/**
 * Makes a tree of a table and the object that it shows. Nodes are made as they are walked to; what a row
 * keeps (its id, its state) lives as long as its subject does.
 */
export function mount<S extends object>(spec: DirSpec<S>, subject: S): TreeNode {
  return new DirNode({ name: '/', spec, subject, parent: undefined, place: undefined }, new Identities());
}
