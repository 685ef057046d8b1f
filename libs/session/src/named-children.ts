import { AlreadyExistsError, type GivenName, NotFoundError } from '#model';

interface Named {
  readonly id: string;
  readonly givenName: GivenName;
}

/** Sessions of a server or agents of a session: unique names, found by name or id, in order of creation. */
export class NamedChildren<T extends Named> {
  private readonly byId = new Map<string, T>();
  private byName = new Map<string, T>();

  /** `renamed` hears of each change of a name, when nothing else can be said against it; what it throws refuses it. */
  constructor(
    private readonly kind: 'session' | 'agent',
    private readonly renamed: (child: T, next: string) => void = () => undefined,
  ) {}

  /** Throws AlreadyExistsError when the name is somebody's name or id. */
  refuseTaken(name: string): void {
    if (this.find(name)) throw new AlreadyExistsError(this.kind, name);
  }

  /** From now on the child is found by its name, whatever that becomes. */
  add(child: T): void {
    this.refuseTaken(child.givenName.value);
    this.byId.set(child.id, child);
    this.byName.set(child.givenName.value, child);
    child.givenName.keptBy((next) => this.rename(child, next));
  }

  /** False when it was not there. */
  remove(child: T): boolean {
    if (!this.byId.delete(child.id)) return false;
    return this.byName.delete(child.givenName.value);
  }

  find(nameOrId: string): T | undefined {
    return this.byName.get(nameOrId) ?? this.byId.get(nameOrId);
  }

  get all(): readonly T[] {
    return [...this.byId.values()];
  }

  entries(): Iterable<readonly [name: string, child: T]> {
    return this.byName;
  }

  private rename(child: T, next: string): void {
    if (!this.byId.has(child.id)) throw new NotFoundError(this.kind, child.id);
    if (this.find(next) !== child) this.refuseTaken(next);
    if (next !== child.givenName.value) this.renamed(child, next);
    // Listings keep their order.
    this.byName = new Map(this.all.map((each) => [each === child ? next : each.givenName.value, each]));
  }
}
