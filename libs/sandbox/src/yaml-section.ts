import { SandboxConfigError } from './errors.js';

/** A YAML file: what it is called in messages, and the line of each of its places. */
export interface SourceFile {
  readonly name: string;
  readonly lines: ReadonlyMap<string, number>;
}

/** One mapping of the file; `path` is empty for the whole of it. */
export interface Section {
  readonly file: SourceFile;
  readonly path: string;
  readonly values: ReadonlyMap<string, unknown>;
}

/** The whole file: a mapping that holds none but these keys. An empty one (null) is a mapping without keys. */
export function toDocument(value: unknown, file: SourceFile, keys: readonly string[]): Section {
  return sectionOf({ value, file, path: '' }, keys);
}

/** The same of one key in it. */
export function subsection(section: Section, key: string, keys: readonly string[]): Section {
  return sectionOf({ value: section.values.get(key), file: section.file, path: pathOf(section, key) }, keys);
}

interface Found {
  readonly value: unknown;
  readonly file: SourceFile;
  readonly path: string;
}

function sectionOf({ value, file, path }: Found, keys: readonly string[]): Section {
  if (value === null || value === undefined) return { file, path, values: new Map() };
  if (typeof value !== 'object' || Array.isArray(value)) throw new SandboxConfigError(`${named(file, path)}: expected a mapping`);
  const section = { file, path, values: new Map(Object.entries(value)) };
  const unknown = [...section.values.keys()].find((key) => !keys.includes(key));
  if (unknown === undefined) return section;
  const where = path === '' ? '' : `${path}: `;
  throw new SandboxConfigError(`${located(file, pathOf(section, unknown))}: ${where}unknown key "${unknown}" (known: ${keys.join(', ')})`);
}

function pathOf({ path }: Pick<Section, 'path'>, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** `FILE:LINE: section.key`, or with `[index]` behind it: how errors, notes and origins name a place. */
export function placeOf(section: Section, key: string, index?: number): string {
  return named(section.file, `${pathOf(section, key)}${index === undefined ? '' : `[${index}]`}`);
}

function named(file: SourceFile, path: string): string {
  return path === '' ? located(file, path) : `${located(file, path)}: ${path}`;
}

/** What an alias stands for has no line of its own: that of the nearest place around it. */
function located(file: SourceFile, path: string): string {
  for (let place = path; place !== ''; place = place.replace(/(^|\.)[^.[]+$|\[\d+\]$/, '')) {
    const line = file.lines.get(place);
    if (line !== undefined) return `${file.name}:${line}`;
  }
  return file.name;
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
    throw new SandboxConfigError(`${placeOf(section, key, index)}: expected a text`);
  });
}
