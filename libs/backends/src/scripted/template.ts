import { isJsonObject, type JsonValue } from '#model';
import { listOf } from '../wire/json-fields.js';
import { filters } from './filters.js';
import type { Place } from '../place.js';
import { ScriptRefusal } from './errors.js';

/**
 * What `{{...}}` can name. `user.N` and `tool.N` are the groups of the step's own patterns,
 * `result.N` is the text of the N-th result of the last calls.
 */
export interface Scope {
  readonly user: string;
  readonly userGroups: readonly string[];
  readonly tool: string | undefined;
  readonly toolName: string | undefined;
  readonly toolGroups: readonly string[];
  readonly results: readonly string[];
}

export type Template = (scope: Scope) => string;
export type Filled = (scope: Scope) => JsonValue;

const EXPRESSION = /\{\{(.*?)\}\}/gs;
const FILTER = /^(\w+)(?:\s+(.+))?$/s;

/** Text with `{{name | filter argument | ...}}`. Unknown names and filters are found here, missing values when it is filled in. */
export function readTemplate(place: Place): Template {
  const text = place.text();
  const parts: Template[] = [];
  let end = 0;
  for (const match of text.matchAll(EXPRESSION)) {
    const literal = text.slice(end, match.index);
    parts.push(() => literal, readExpression(match[1] ?? '', place));
    end = match.index + match[0].length;
  }
  const rest = text.slice(end);
  return (scope) => parts.map((part) => part(scope)).join('') + rest;
}

/** A JSON value whose texts are templates. */
export function readFilled(place: Place): Filled {
  const value = place.json();
  if (typeof value === 'string') return readTemplate(place);
  if (isJsonObject(value)) {
    const fields = place.entries().map(([key, item]) => [key, readFilled(item)] as const);
    return (scope) => Object.fromEntries(fields.map(([key, filled]) => [key, filled(scope)]));
  }
  if (!Array.isArray(value)) return () => value;
  const items = listOf(value).length === 0 ? [] : place.list().map(readFilled);
  return (scope) => items.map((filled) => filled(scope));
}

function readExpression(source: string, place: Place): Template {
  const [name = '', ...steps] = source.split('|').map((part) => part.trim());
  const value = readName(name, place);
  const chain = steps.map((step) => readFilter(step, place));
  return (scope) => {
    const found = value(scope);
    if (found === undefined) throw new ScriptRefusal(`${place.where}: {{${name}}} has no value here`);
    return chain.reduce((text, filter) => filter(text), found);
  };
}

function readName(name: string, place: Place): (scope: Scope) => string | undefined {
  const [, base, index] = /^(\w+)(?:\.(\d+))?$/.exec(name) ?? [];
  const n = Number(index);
  if (name === 'tool.name') return ({ toolName }) => toolName;
  if (base === 'user') return ({ user, userGroups }) => (index === undefined ? user : userGroups[n]);
  if (base === 'tool') return ({ tool, toolGroups }) => (index === undefined ? tool : toolGroups[n]);
  if (base === 'result' && n > 0) return ({ results }) => results[n - 1];
  return place.fail(`unknown name {{${name}}}; known are user, user.N, tool, tool.N, tool.name, result.N`);
}

function readFilter(step: string, place: Place): (text: string) => string {
  const [, name = '', argument = ''] = FILTER.exec(step) ?? [];
  const make = filters.get(name);
  if (!make) return place.fail(`unknown filter ${name || step}; known are ${[...filters.keys()].join(', ')}`);
  return make(argument, place);
}
