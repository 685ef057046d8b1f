import { FuseError } from './errors.js';
import { ROOT_NODE } from './protocol.js';

/** A name that the kernel knows, from its first LOOKUP until it is forgotten. */
export interface Inode {
  readonly id: number;
  /** The qid path: the file behind the name. */
  readonly path: number;
  readonly parent: Inode | undefined;
  readonly name: string;
  /** As of the last LOOKUP. */
  readonly mode: number;
  /** As the kernel was last told. */
  readonly length: number;
}

interface Known extends Inode {
  name: string;
  mode: number;
  length: number;
  lookups: number;
}

/** What a LOOKUP has found. */
export interface Found {
  readonly parent: Inode;
  readonly name: string;
  readonly path: number;
  readonly mode: number;
  readonly length: number;
}

/**
 * The kernel's nodes. A node stands for a place (parent and name), so that a directory which can be
 * walked to by two names is two nodes with one inode number: the kernel wants one place per directory.
 */
export class Inodes {
  readonly #byId = new Map<number, Known>();
  readonly #byPlace = new Map<string, Known>();
  #next = ROOT_NODE + 1;

  constructor(root: Pick<Inode, 'path' | 'mode'>) {
    this.#byId.set(ROOT_NODE, { id: ROOT_NODE, parent: undefined, name: '', length: 0, lookups: Infinity, ...root });
  }

  /** ESTALE for what was forgotten. */
  get(id: number): Inode {
    const known = this.#byId.get(id);
    if (!known) throw new FuseError('ESTALE');
    return known;
  }

  get size(): number {
    return this.#byId.size;
  }

  /** Counts a LOOKUP. Another file at the same place is another node. */
  enter(found: Found): Inode {
    const known = this.#byPlace.get(placeOf(found));
    if (known?.path !== found.path) return this.#add(found);
    known.lookups++;
    known.mode = found.mode;
    known.length = found.length;
    return known;
  }

  /** Notes the length that the kernel is being told. */
  told(id: number, length: number): void {
    const known = this.#byId.get(id);
    if (known) known.length = length;
  }

  /** True when the node is gone with it. */
  forget(id: number, lookups: number): boolean {
    const known = this.#byId.get(id);
    if (!known) return false;
    known.lookups -= lookups;
    if (known.lookups > 0) return false;
    this.#byId.delete(id);
    this.#leavePlace(known);
    return true;
  }

  /** The child of that name is called otherwise from now on, for the kernel too. */
  renamed(parent: Inode, name: string, newName: string): void {
    const known = this.#byPlace.get(placeOf({ parent, name }));
    if (!known) return;
    this.#leavePlace(known);
    known.name = newName;
    this.#byPlace.set(placeOf(known), known);
  }

  #add(found: Found): Inode {
    const known = { ...found, id: this.#next++, lookups: 1 };
    this.#byId.set(known.id, known);
    this.#byPlace.set(placeOf(known), known);
    return known;
  }

  #leavePlace(known: Known): void {
    const place = placeOf(known);
    if (this.#byPlace.get(place) === known) this.#byPlace.delete(place);
  }
}

function placeOf({ parent, name }: Pick<Inode, 'parent' | 'name'>): string {
  return `${String(parent?.id)}/${name}`;
}
