import { ConfigError } from '#config';
import type { JsonValue } from '#model';
import { MOST_LEVELS } from './wire/json-depth.js';

/** A value read from a file and where it stands, so that every complaint names the place. */
export class Place {
  constructor(
    private readonly value: unknown,
    readonly where: string,
  ) {}

  fail(why: string): never {
    throw new ConfigError(`${this.where}: ${why}`);
  }

  /** Undefined for a value that is not there. */
  maybe<T>(read: (place: Place) => T): T | undefined {
    return this.value === undefined || this.value === null ? undefined : read(this);
  }

  /** The same place with an empty mapping for nothing. */
  orEmpty(): Place {
    return new Place(this.value ?? {}, this.where);
  }

  /** The same value under another name. */
  at(where: string): Place {
    return new Place(this.value, where);
  }

  text(): string {
    return typeof this.value === 'string' ? this.value : this.fail('expected text');
  }

  /** Text, or a number as text. */
  word(): string {
    return typeof this.value === 'number' ? String(this.value) : this.text();
  }

  is(word: string): boolean {
    return this.value === word;
  }

  flag(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.fail('expected true or false');
  }

  whole(least: number): number {
    const { value } = this;
    return typeof value === 'number' && Number.isInteger(value) && value >= least
      ? value
      : this.fail(`expected a whole number from ${least}`);
  }

  amount(): number {
    const { value } = this;
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : this.fail('expected a number from 0');
  }

  oneOf<T extends string>(...allowed: readonly T[]): T {
    return allowed.find((one) => one === this.value) ?? this.fail(`expected one of ${allowed.join(', ')}`);
  }

  list(): readonly Place[] {
    const { value } = this;
    return Array.isArray(value) ? value.map((item: unknown, i) => new Place(item, `${this.where} ${i + 1}`)) : this.fail('expected a list');
  }

  /** The named fields of a mapping; any other key is a mistake. */
  fields<K extends string>(...known: readonly K[]): Readonly<Record<K, Place>> {
    const entries = new Map(this.entries());
    const unknown = [...entries.keys()].find((key) => !known.some((one) => one === key));
    if (unknown !== undefined) this.fail(`unknown key ${unknown}; known are ${known.join(', ')}`);
    const fields = Object.fromEntries(known.map((key) => [key, entries.get(key) ?? new Place(undefined, `${this.where}: ${key}`)]));
    return fields as Record<K, Place>; // Object.fromEntries forgets which keys it was given
  }

  entries(): readonly (readonly [string, Place])[] {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('expected a mapping');
    return Object.entries(value ?? {}).map(([key, item]: [string, unknown]) => [key, new Place(item, `${this.where}: ${key}`)] as const);
  }

  /** At most 128 levels of it. */
  json(levels = MOST_LEVELS): JsonValue {
    const { value } = this;
    if (levels === 0) return this.fail('nested too deeply');
    if (value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return value as JsonValue; // just checked
    if (Array.isArray(value)) return this.list().map((item) => item.json(levels - 1));
    return Object.fromEntries(this.entries().map(([key, item]) => [key, item.json(levels - 1)]));
  }
}
