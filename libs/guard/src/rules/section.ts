import { ConfigError } from '#config';

/** A YAML file in errors: its name, and the line of a place in it (`a.b[0]`) where that is known. */
export interface RuleSource {
  readonly name: string;
  lineOf(path: string): number | undefined;
}

/** Where a mapping stands. */
interface Place {
  readonly source: RuleSource;
  /** As `lineOf` takes it; empty for the whole file. */
  readonly path: string;
  /** What errors say between the file and the key. */
  readonly trail: string;
}

/** A mapping of a YAML file, read key by key. Every error names the place. */
export class Section {
  private readonly values: ReadonlyMap<string, unknown>;

  private constructor(
    value: unknown,
    private readonly place: Place,
    known?: readonly string[],
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ConfigError(`${this.located('')}: expected a mapping`);
    this.values = new Map(Object.entries(value));
    if (known !== undefined) this.only(known);
  }

  /** The whole file. */
  static root(value: unknown, source: RuleSource, known: readonly string[]): Section {
    return new Section(value, { source, path: '', trail: '' }, known);
  }

  /** This section, after a check that it has no other keys. */
  only(known: readonly string[]): this {
    for (const name of this.values.keys()) if (!known.includes(name)) throw this.error(name, `no such key (known: ${known.join(', ')})`);
    return this;
  }

  names(): readonly string[] {
    return [...this.values.keys()];
  }

  child(name: string, known?: readonly string[]): Section {
    const { source, trail } = this.place;
    return new Section(this.values.get(name) ?? {}, { source, path: this.pathOf(name), trail: `${trail}: ${name}` }, known);
  }

  entries(): readonly (readonly [string, Section])[] {
    return this.names().map((name) => [name, this.child(name)] as const);
  }

  /** Mappings in a list; one alone counts as a list of it. */
  list(name: string): readonly Section[] {
    return this.items(name).map(({ value, path, index }) => {
      const trail = `${this.place.trail}: ${name} ${nameOf(value) ?? index + 1}`;
      return new Section(value, { source: this.place.source, path, trail });
    });
  }

  /** Texts and mappings in a list; either alone counts as a list of it. */
  mixed(name: string): readonly (string | Section)[] {
    const { source, trail } = this.place;
    return this.items(name).map(({ value, path, index }) =>
      typeof value === 'string' ? value : new Section(value, { source, path, trail: `${trail}: ${name} ${index + 1}` }),
    );
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
    return new ConfigError(`${this.located(name)}: ${name}: ${reason}`);
  }

  /** `FILE:LINE` of a key. What has no line of its own has that of the mapping around it. */
  originOf(name: string): string {
    const { source, path } = this.place;
    const line = source.lineOf(this.pathOf(name)) ?? source.lineOf(path);
    return line === undefined ? source.name : `${source.name}:${line}`;
  }

  /** The value as it is. */
  raw(name: string): unknown {
    return this.values.get(name);
  }

  private located(name: string): string {
    return `${this.originOf(name)}${this.place.trail}`;
  }

  private pathOf(name: string): string {
    const { path } = this.place;
    return [path, name].filter((part) => part !== '').join('.');
  }

  private items(name: string): readonly Item[] {
    const value = this.values.get(name) ?? [];
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const path = this.pathOf(name);
    return items.map((item, index) => ({ value: item, path: Array.isArray(value) ? `${path}[${index}]` : path, index }));
  }
}

interface Item {
  readonly value: unknown;
  readonly path: string;
  readonly index: number;
}

function nameOf(item: unknown): string | undefined {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string' ? item.id : undefined;
}
