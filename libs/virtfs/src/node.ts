import { isPromise } from './awaitable.js';
import { FileDeniedError } from './errors.js';
import type { Identities, Identity } from './identities.js';
import { checkGrant } from './roles.js';
import type {
  Access,
  Awaitable,
  Call,
  Children,
  Client,
  DirSpec,
  FileFacts,
  FileHandle,
  FileSpec,
  KindName,
  NodeStat,
  TreeNode,
} from './types.js';

/** What a changing directory may do with one of its children; keeps the types of both together. */
export interface Place {
  nameNow(): string | undefined;
  rename(name: string, call: Call): Awaitable<void>;
  remove(call: Call): Awaitable<void>;
}

/** Where a node stands. `place` is set for children of changing directories. */
export interface Position<S extends object, Spec extends DirSpec<S> | FileSpec<S>> {
  readonly name: string;
  readonly spec: Spec;
  readonly subject: S;
  readonly parent: TreeNode | undefined;
  readonly place: Place | undefined;
  /** The name has just been listed: a long listing would ask for each of its names again. */
  readonly isListed?: boolean;
}

export function placeOf<P, C extends object>(children: Children<P, C>, parent: P, child: C): Place {
  return {
    nameNow: () => children.nameOf?.(child) ?? listedName(children, parent, child),
    rename: (name, call) => {
      if (!children.rename) throw new FileDeniedError();
      return children.rename(parent, child, name, call);
    },
    remove: (call) => {
      if (!children.remove) throw new FileDeniedError();
      return children.remove(parent, child, call);
    },
  };
}

function listedName<P, C extends object>(children: Children<P, C>, parent: P, child: C): string | undefined {
  for (const [name, listed] of children.entries(parent)) if (listed === child) return name;
  return undefined;
}

function isSame(a: FileFacts, b: FileFacts): boolean {
  return a.version === b.version && a.length === b.length && a.mtimeMs === b.mtimeMs && a.muid === b.muid;
}

/** What files and directories of a mounted tree have in common. */
export abstract class Node<S extends object, Spec extends DirSpec<S> | FileSpec<S>> implements TreeNode {
  protected readonly identity: Identity;
  private readonly hasFixedName: boolean;
  private told: NodeStat | undefined;
  private toldFacts: FileFacts | undefined;

  constructor(
    protected readonly position: Position<S, Spec>,
    protected readonly identities: Identities,
  ) {
    this.identity = identities.of(position.subject, position.spec);
    this.hasFixedName = position.isListed === true || !position.place;
  }

  abstract readonly isDirectory: boolean;
  abstract readonly version: number;
  abstract admit(client: Client): void;
  abstract walk(name: string): TreeNode | undefined;
  abstract list(): readonly TreeNode[];
  abstract stats(): Awaitable<readonly NodeStat[]>;
  abstract open(access: Access, client: Client): Awaitable<FileHandle>;
  abstract truncate(length: number, call: Call): Awaitable<void>;
  protected abstract facts(): Awaitable<FileFacts>;

  get name(): string {
    return this.position.name;
  }

  get id(): number {
    return this.identity.id;
  }

  get mode(): number {
    return this.position.spec.mode;
  }

  get kind(): KindName | 'dir' {
    return this.position.spec.kind;
  }

  get isFixed(): boolean {
    return this.position.place === undefined && this.position.parent !== undefined;
  }

  get parent(): TreeNode {
    return this.position.parent ?? this;
  }

  stat(): Awaitable<NodeStat> {
    const facts = this.facts();
    // A long listing is as slow as the memory that it touches: here it ends for most children.
    if (this.told && facts === this.toldFacts && this.hasFixedName) return this.told;
    return isPromise(facts) ? facts.then((known) => this.tell(known)) : this.tell(facts);
  }

  private tell(facts: FileFacts): NodeStat {
    const { id, mode, isDirectory, told } = this;
    const name = (this.hasFixedName ? undefined : this.position.place?.nameNow()) ?? this.name;
    this.toldFacts = facts;
    if (told?.name === name && isSame(told, facts)) return told;
    const { length, version, mtimeMs, muid } = facts;
    this.told = { length, version, mtimeMs, muid, name, isDirectory, id, mode };
    return this.told;
  }

  rename(name: string, call: Call): Awaitable<void> {
    checkGrant(call.client, this.position.subject);
    if (!this.position.place) throw new FileDeniedError();
    return this.position.place.rename(name, call);
  }

  remove(call: Call): Awaitable<void> {
    checkGrant(call.client, this.position.subject);
    if (!this.position.place) throw new FileDeniedError();
    return this.position.place.remove(call);
  }
}
