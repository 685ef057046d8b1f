import { AlreadyExistsError } from '#model';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Sessions of a server or agents of a session: unique names, found by name or id, in order of creation. */
export class NamedChildren<T extends Named> {
  private readonly byId = new Map<string, T>();
  private readonly byName = new Map<string, T>();

  constructor(private readonly kind: 'session' | 'agent') {}

  /** Throws AlreadyExistsError when the name is somebody's name or id. */
  refuseTaken(name: string): void {
    if (this.find(name)) throw new AlreadyExistsError(this.kind, name);
  }

  add(child: T): void {
    this.refuseTaken(child.name);
    this.byId.set(child.id, child);
    this.byName.set(child.name, child);
  }

  /** False when it was not there. */
  remove(child: T): boolean {
    this.byName.delete(child.name);
    return this.byId.delete(child.id);
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
}
