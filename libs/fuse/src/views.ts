import type { Awaitable, ServedNode } from '#ninep';
import { FuseError } from './errors.js';
import type { Inode } from './inodes.js';

/** One client's way into a tree. `detach` is called when no more is opened through it; open files stay. */
export interface Attachment {
  readonly root: ServedNode;
  detach?(): void;
}

/** A file tree that can be mounted. */
export interface MountedTree {
  /** The tree as the client with this tag sees it; undefined: a client without one. */
  attach(tag: string | undefined): Awaitable<Attachment>;
}

/** How many clients are attached at a time; the one that was longest silent goes. */
const MOST_VIEWS = 64;
/** Of a way that renames cross again and again. */
const MOST_TRIES = 10;

/** What one client sees of the tree: where its walks have led. */
export class View {
  readonly #nodes = new Map<number, ServedNode>();

  constructor(readonly attachment: Attachment) {}

  get(id: number): ServedNode | undefined {
    return this.#nodes.get(id);
  }

  set(id: number, node: ServedNode): void {
    this.#nodes.set(id, node);
  }

  forget(id: number): void {
    this.#nodes.delete(id);
  }

  clear(): void {
    this.#nodes.clear();
  }
}

/** The clients of a mount, by tag. */
export class Views {
  readonly #byTag = new Map<string | undefined, Promise<View>>();
  readonly #ready = new Set<View>();
  /** What they rename may be elsewhere already, while it is known here by its old name. */
  readonly #renames = new Set<Promise<void>>();
  #changes = 0;

  constructor(private readonly tree: MountedTree) {}

  /** Attaches a client that is new. */
  of(tag: string | undefined): Promise<View> {
    const known = this.#byTag.get(tag) ?? this.#attach(tag);
    this.#byTag.delete(tag);
    this.#byTag.set(tag, known);
    if (this.#byTag.size > MOST_VIEWS) this.#dropOldest();
    return known;
  }

  /**
   * The node as the client sees it. Most often a LOOKUP of the same client came just before; else the way
   * is walked. Where that leads elsewhere (a directory was renamed under a process that stands in it),
   * another client's node is the best there is. A way that a rename has crossed is walked again.
   */
  async node(view: View, inode: Inode): Promise<ServedNode> {
    for (let tries = MOST_TRIES; ; tries -= 1) {
      const [changes, renames] = [this.#changes, [...this.#renames]];
      try {
        return await this.#walked(view, inode);
      } catch (error) {
        const isCrossed = renames.length > 0 || this.#renames.size > 0 || changes !== this.#changes;
        if (!isCrossed || tries === 1) throw error;
        await Promise.allSettled([...renames, ...this.#renames]);
      }
    }
  }

  /** Does a rename; after it all ways are walked anew. */
  async rename(work: () => Promise<void>): Promise<void> {
    const done = work();
    this.#renames.add(done);
    try {
      await done;
      this.#forgetAll();
    } finally {
      this.#renames.delete(done);
    }
  }

  async #walked(view: View, { id, path, parent, name }: Inode): Promise<ServedNode> {
    const known = view.get(id);
    if (known) return known;
    const node = parent === undefined ? view.attachment.root : await (await this.node(view, parent)).walk(name);
    if (node?.qid.path !== path) return this.#anybodys(id);
    view.set(id, node);
    return node;
  }

  forget(id: number): void {
    for (const view of this.#ready) view.forget(id);
  }

  #forgetAll(): void {
    this.#changes += 1;
    for (const view of this.#ready) view.clear();
  }

  detachAll(): void {
    while (this.#byTag.size > 0) this.#dropOldest();
  }

  #anybodys(id: number): ServedNode {
    for (const view of this.#ready) {
      const node = view.get(id);
      if (node) return node;
    }
    throw new FuseError('ESTALE');
  }

  #attach(tag: string | undefined): Promise<View> {
    const view = this.#newView(tag);
    view.then(
      (made) => this.#ready.add(made),
      () => this.#byTag.delete(tag), // whoever asked hears why; the next one tries again
    );
    return view;
  }

  async #newView(tag: string | undefined): Promise<View> {
    return new View(await this.tree.attach(tag));
  }

  #dropOldest(): void {
    const [oldest] = this.#byTag;
    if (!oldest) return;
    const [tag, leaving] = oldest;
    this.#byTag.delete(tag);
    leaving.then(
      (view) => {
        this.#ready.delete(view);
        view.attachment.detach?.();
      },
      () => undefined, // it never was
    );
  }
}
