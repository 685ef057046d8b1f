import { ConfigError } from '#config';

/** A mapping of a YAML file, read key by key. Every error names the place. */
export class Section {
  private readonly values: ReadonlyMap<string, unknown>;

  constructor(
    value: unknown,
    private readonly place: string,
    known?: readonly string[],
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ConfigError(`${place}: expected a mapping`);
    this.values = new Map(Object.entries(value));
    if (known !== undefined) this.only(known);
  }

  /** This section, after a check that it has no other keys. */
  only(known: readonly string[]): this {
    for (const name of this.values.keys()) if (!known.includes(name)) throw this.error(name, 'no such key');
    return this;
  }

  names(): readonly string[] {
    return [...this.values.keys()];
  }

  child(name: string, known?: readonly string[]): Section {
    return new Section(this.values.get(name) ?? {}, `${this.place}: ${name}`, known);
  }

  entries(): readonly (readonly [string, Section])[] {
    return this.names().map((name) => [name, this.child(name)] as const);
  }

  /** Mappings in a list; one alone counts as a list of it. */
  list(name: string): readonly Section[] {
    const value = this.values.get(name) ?? [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    return items.map((item, index) => new Section(item, `${this.place}: ${name} ${nameOf(item) ?? index + 1}`));
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined) throw this.error(name, 'missing');
    return value;
  }

  optionalText(name: string): string | undefined {
    const value = this.values.get(name);
    if (value === undefined) return undefined;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    throw this.error(name, 'expected text');
  }

  /** Texts in a list; one alone counts as a list of it, none as an empty one. Nested lists are joined. */
  texts(name: string): readonly string[] {
    const value = this.values.get(name) ?? [];
    const items: readonly unknown[] = Array.isArray(value) ? value.flat() : [value];
    return items.map((item) => {
      if (typeof item === 'string' || typeof item === 'number') return String(item);
      throw this.error(name, 'expected texts');
    });
  }

  flag(name: string): boolean | undefined {
    const value = this.values.get(name);
    if (value === undefined || typeof value === 'boolean') return value;
    throw this.error(name, 'expected true or false');
  }

  optionalNumber(name: string): number | undefined {
    const value = this.values.get(name);
    if (value === undefined || typeof value === 'number') return value;
    throw this.error(name, 'expected a number');
  }

  error(name: string, reason: string): ConfigError {
    return new ConfigError(`${this.place}: ${name}: ${reason}`);
  }
}

function nameOf(item: unknown): string | undefined {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? item.id : undefined;
}
