import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { listOf } from '../../wire/json-fields.js';
import { isWellFormed } from '../../wire/well-formed.js';

/** What a provider holds a request against. */
export interface Seen {
  /** Whether an answer or only a count is wanted. */
  readonly kind: 'answer' | 'count';
  readonly body: JsonObject;
  readonly headers: IncomingHttpHeaders;
  /** The name of the model, wherever the provider has it. */
  readonly model: string;
}

/** `path` as the provider writes it; `message` is what it says. */
export interface Violation {
  readonly path: string;
  readonly message: string;
  readonly code?: string;
}

/** A row of a provider's table: in short words what is asked for, and the first place where it is not so. */
export interface Rule {
  readonly wants: string;
  find(seen: Seen): Violation | undefined;
}

/** How a provider writes the place of a value. */
export type PathStyle = 'dots' | 'brackets';

/** `messages[0].content` or `messages.0.content` */
function joined(style: PathStyle, path: string, key: string | number): string {
  if (path === '') return String(key);
  return style === 'brackets' && typeof key === 'number' ? `${path}[${key}]` : `${path}.${key}`;
}

/** The first field of an object that is none of those. */
export function unknownField(object: JsonObject, known: readonly string[]): string | undefined {
  return Object.keys(object).find((key) => !known.includes(key));
}

/** Where the first text stands that is not Unicode; a key counts as its value. */
export function loneSurrogate(value: JsonValue | undefined, style: PathStyle, path = ''): string | undefined {
  if (typeof value === 'string') return isWellFormed(value) ? undefined : path;
  const entries: readonly (readonly [string | number, JsonValue])[] = isJsonObject(value)
    ? Object.entries(value)
    : listOf(value).map((one, index) => [index, one] as const);
  for (const [key, one] of entries) {
    const place = joined(style, path, typeof key === 'number' || isWellFormed(key) ? key : '?');
    if (typeof key === 'string' && !isWellFormed(key)) return place;
    const found = loneSurrogate(one, style, place);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The first that `find` gives for one of the objects of a list; what is no object counts as an empty one. */
export function firstIn<T>(list: JsonValue | undefined, find: (item: JsonObject, index: number) => T | undefined): T | undefined {
  for (const [index, item] of listOf(list).entries()) {
    const found = find(isJsonObject(item) ? item : {}, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function objectsIn(list: JsonValue | undefined): readonly JsonObject[] {
  return listOf(list).map((item) => (isJsonObject(item) ? item : {}));
}
