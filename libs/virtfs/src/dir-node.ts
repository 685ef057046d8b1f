import { FileDeniedError, FileError } from './errors.js';
import { FileNode } from './file-node.js';
import { Node, placeOf, type Position } from './node.js';
import { ToldChildren } from './told-children.js';
import type { Awaitable, Client, DirSpec, FileFacts, FileSpec, NodeStat, TreeNode } from './types.js';

export class DirNode<S extends object> extends Node<S, DirSpec<S>> {
  readonly isDirectory = true;

  get version(): number {
    return this.identity.listing?.facts.version ?? 0;
  }

  admit(client: Client): void {
    this.position.spec.admit?.(client, this.position.subject);
  }

  walk(name: string): TreeNode | undefined {
    if (name === '..') return this.parent;
    const { entries, aliases } = this.position.spec;
    const real = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
    const entry = Object.hasOwn(entries, real) ? entries[real] : undefined;
    return entry ? this.fixed(real, entry) : this.findChild(name);
  }

  list(): readonly TreeNode[] {
    const { entries } = this.position.spec;
    const fixed = Object.entries(entries).map(([name, entry]) => this.fixed(name, entry));
    return [...fixed, ...this.children()];
  }

  stats(): Awaitable<readonly NodeStat[]> {
    const told = (this.identity.children ??= new ToldChildren());
    const { entries, dynamic } = this.position.spec;
    told.begin();
    for (const [name, entry] of Object.entries(entries)) if (!told.knows(name, entry)) told.add(name, entry, this.fixed(name, entry));
    if (dynamic) this.tellChildren(dynamic, told);
    return told.stats();
  }

  open(): never {
    throw new FileError('is a directory', 'EISDIR');
  }

  truncate(): never {
    throw new FileDeniedError();
  }

  /** The version counts the listings that differed from the one before. */
  protected facts(): FileFacts {
    const names = this.childNames().join('/');
    const before = this.identity.listing;
    if (before?.names === names) return before.facts;
    const facts = { length: 0, version: before ? before.facts.version + 1 : 0, mtimeMs: Date.now(), muid: '' };
    this.identity.listing = { names, facts };
    return facts;
  }

  private tellChildren(dynamic: Dynamic<S>, told: ToldChildren): void {
    const { spec, subject } = this.position;
    for (const [name, child] of dynamic.children.entries(subject)) {
      if (told.knows(name, child) || Object.hasOwn(spec.entries, name)) continue;
      told.add(name, child, this.child(dynamic, name, child, true));
    }
  }

  private fixed(name: string, spec: DirSpec<S> | FileSpec<S>): TreeNode {
    return this.node({ name, spec, subject: this.position.subject, parent: this, place: undefined });
  }

  private findChild(name: string): TreeNode | undefined {
    const { dynamic } = this.position.spec;
    const child = dynamic?.children.find(this.position.subject, name);
    return dynamic && child && this.child(dynamic, name, child);
  }

  private children(): readonly TreeNode[] {
    const { dynamic, entries } = this.position.spec;
    if (!dynamic) return [];
    const all = Array.from(dynamic.children.entries(this.position.subject));
    return all.filter(([name]) => !Object.hasOwn(entries, name)).map(([name, child]) => this.child(dynamic, name, child, true));
  }

  private childNames(): readonly string[] {
    const { dynamic } = this.position.spec;
    return dynamic ? Array.from(dynamic.children.entries(this.position.subject), ([name]) => name) : [];
  }

  // Four parameters: a place is where, what, under which name, and how the name was found.
  private child({ children, each }: Dynamic<S>, name: string, child: object, isListed = false): TreeNode {
    const place = placeOf(children, this.position.subject, child);
    return this.node({ name, spec: each, subject: child, parent: this, place, isListed });
  }

  private node<T extends object>(position: Position<T, DirSpec<T> | FileSpec<T>>): TreeNode {
    const { spec } = position;
    if (spec.kind === 'dir') return new DirNode({ ...position, spec }, this.identities);
    return new FileNode({ ...position, spec }, this.identities);
  }
}

type Dynamic<S> = NonNullable<DirSpec<S>['dynamic']>;
