import { SandboxConfigError } from './errors.js';

/** One mapping of the file, and how errors name it (`sandbox.yaml: network`) and what begins the name of its keys. */
export interface Section {
  readonly place: string;
  readonly prefix: string;
  readonly values: ReadonlyMap<string, unknown>;
}

/** The whole file: a mapping that holds none but these keys. An empty one (null) is a mapping without keys. */
export function toDocument(value: unknown, origin: string, keys: readonly string[]): Section {
  return { place: origin, prefix: `${origin}: `, values: valuesOf(value, origin, keys) };
}

/** The same of one key in it. */
export function subsection(section: Section, key: string, keys: readonly string[]): Section {
  const place = placeOf(section, key);
  return { place, prefix: `${place}.`, values: valuesOf(section.values.get(key), place, keys) };
}

function valuesOf(value: unknown, place: string, keys: readonly string[]): ReadonlyMap<string, unknown> {
  if (value === null || value === undefined) return new Map();
  if (typeof value !== 'object' || Array.isArray(value)) throw new SandboxConfigError(`${place}: expected a mapping`);
  const values = new Map(Object.entries(value));
  const unknown = [...values.keys()].find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new SandboxConfigError(`${place}: unknown key "${unknown}" (known: ${keys.join(', ')})`);
  return values;
}

export function placeOf(section: Section, key: string): string {
  return `${section.prefix}${key}`;
}

/** undefined when the key is absent. */
export function flagOf(section: Section, key: string): boolean | undefined {
  const value = section.values.get(key);
  if (value === undefined || typeof value === 'boolean') return value;
  throw new SandboxConfigError(`${placeOf(section, key)}: expected true or false`);
}

/** The texts of a list; absent and empty are the same. */
export function listOf(section: Section, key: string): readonly string[] {
  const value = section.values.get(key) ?? [];
  if (!Array.isArray(value)) throw new SandboxConfigError(`${placeOf(section, key)}: expected a list`);
  return value.map((item: unknown, index) => {
    if (typeof item === 'string' && item !== '') return item;
    throw new SandboxConfigError(`${placeOf(section, key)}[${index}]: expected a text`);
  });
}
