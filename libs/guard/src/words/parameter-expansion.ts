import type { Environment } from './environment.js';
import { globMatches } from './glob.js';

const EXPRESSION = /^(!?)(#?)([A-Za-z_]\w*|\d+|[@*#?$!_-])(\[[^\]]*\])?(.*)$/s;

const SLICE = /^:\s*(-?\d+)(?::\s*(-?\d+))?$/;

type ExpandText = (raw: string, environment: Environment) => string;

/** The value of what stands in `${...}`; several for an array with `[@]`. `expandText` expands the words of its operators. */
export function expandParameter(expression: string, environment: Environment, expandText: ExpandText): string | readonly string[] {
  const scope = { environment, expand: (raw: string): string => expandText(raw, environment) };
  const parts = partsOf(expression);
  if (parts === undefined) return unknownOf(expression, scope);
  const { name, indirect, operation } = parts;
  if (parts.index !== undefined) scope.expand(parts.index);
  const value = lookUp(name, parts.index, environment);
  if (typeof value !== 'string' && value !== undefined) return operateAll(name, value, { operation, scope });
  if (indirect) return named(value, environment);
  return conditional(name, { value, operation }, scope) ?? operate(value ?? '', operation, scope);
}

/** A value that is not known; what stands in its place may run something all the same. */
function unknownOf(raw: string, { environment, expand }: Scope): string {
  if (/[$`]/.test(raw)) expand(raw);
  return environment.something();
}

interface Operation {
  readonly operation: string;
  readonly scope: Scope;
}

/** A slice takes elements, anything else works on each of them. `$@` counts from 1. */
function operateAll(name: string, values: readonly string[], { operation, scope }: Operation): readonly string[] {
  const slice = SLICE.exec(operation);
  if (slice === null) return values.map((each) => operate(each, operation, scope));
  const from = Math.max(Number(slice[1]) - (name === '@' || name === '*' ? 1 : 0), 0);
  return values.slice(from, slice[2] === undefined ? undefined : from + Number(slice[2]));
}

interface Parts {
  readonly indirect: boolean;
  readonly name: string;
  readonly index: string | undefined;
  readonly operation: string;
}

/** undefined for a length, which is never known, and for what is no expansion. */
function partsOf(expression: string): Parts | undefined {
  const found = EXPRESSION.exec(expression);
  if (found === null || found[2] !== '' || expression === '#') return undefined;
  return { indirect: found[1] !== '', name: found[3] ?? '', index: found[4], operation: found[5] ?? '' };
}

/** `${!x}`: the value of the variable that x names. */
function named(name: string | undefined, environment: Environment): string {
  return name === undefined || !/^\w+$/.test(name) ? environment.something() : (environment.parameter(name) ?? '');
}

function lookUp(name: string, index: string | undefined, environment: Environment): string | readonly string[] | undefined {
  const all = name === '@' || name === '*' ? environment.list('@') : undefined;
  if (all !== undefined) return all;
  const elements = environment.list(name);
  if (elements === undefined || index === undefined) return elements?.[0] ?? environment.parameter(name);
  const which = index.slice(1, -1);
  if (which === '@' || which === '*') return elements;
  return (/^\d+$/.test(which) ? elements[Number(which)] : undefined) ?? environment.something();
}

const MAX_VALUE = 256;

interface Scope {
  readonly environment: Environment;
  readonly expand: (raw: string) => string;
}

interface Use {
  readonly value: string | undefined;
  readonly operation: string;
}

/** `:-` and its like. Where the variable may be unset, the word after it is what counts: it is the value that the script tells. */
function conditional(name: string, { value, operation }: Use, { environment, expand }: Scope): string | undefined {
  const found = /^(:?)([-=?+])(.*)$/s.exec(operation);
  if (found === null) return undefined;
  const [, colon, operator, raw = ''] = found;
  const known = hasValue(value, colon === '', environment);
  if (operator === '?' && colon !== '') environment.require(value ?? '');
  if (operator === '+') return known ? expand(raw) : '';
  if (known) return value;
  if (operator === '?') return unknownOf(raw, { environment, expand });
  const word = expand(raw);
  if (operator === '=') environment.assign(name, word);
  return word;
}

function hasValue(value: string | undefined, orEmpty: boolean, environment: Environment): value is string {
  return value !== undefined && (value !== '' || orEmpty) && !(value.length === 1 && environment.mayBeUnset(value));
}

function operate(value: string, operation: string, { environment, expand }: Scope): string {
  if (operation === '') return value;
  if (value.length > MAX_VALUE) return environment.something();
  const trim = /^(##?|%%?)(.*)$/s.exec(operation);
  if (trim !== null) return trimmedOf(value, { how: trim[1] ?? '', pattern: expand(trim[2] ?? '') }, environment);
  const replace = /^(\/[/#%]?)((?:[^/\\]|\\.)*)(?:\/(.*))?$/s.exec(operation);
  if (replace !== null)
    return replaced(value, { how: replace[1] ?? '/', pattern: replace[2] ?? '', by: replace[3] ?? '' }, { environment, expand });
  if (/[$`]/.test(operation)) return unknownOf(operation, { environment, expand });
  return transformed(value, operation) ?? environment.something();
}

function transformed(value: string, operation: string): string | undefined {
  const slice = SLICE.exec(operation);
  if (slice !== null) return sliced(value, Number(slice[1]), slice[2] === undefined ? undefined : Number(slice[2]));
  if (operation.startsWith('^')) return operation === '^^' ? value.toUpperCase() : capital(value);
  if (operation.startsWith(',')) return value.toLowerCase();
  return operation.startsWith('@') ? value : undefined;
}

function capital(value: string): string {
  return value.slice(0, 1).toUpperCase() + value.slice(1);
}

interface Trim {
  readonly how: string;
  readonly pattern: string;
}

/** A pattern with wildcards may take all of a value; other text takes all of one only that would do the same harm itself. */
function trimmedOf(value: string, { how, pattern }: Trim, environment: Environment): string {
  return trimmed(/[\ue000-\uf8ff]/.test(pattern) ? environment.unproven(value) : value, how, pattern);
}

function trimmed(value: string, how: string, pattern: string): string {
  const prefix = how.startsWith('#');
  const longest = how.length === 2;
  const cuts = Array.from({ length: value.length + 1 }, (_, index) => index);
  const order = prefix === longest ? cuts.reverse() : cuts;
  const found = order.find((cut) => globMatches(pattern, prefix ? value.slice(0, cut) : value.slice(cut)));
  if (found === undefined) return value;
  return prefix ? value.slice(found) : value.slice(0, found);
}

interface Replacement {
  readonly how: string;
  readonly pattern: string;
  readonly by: string;
}

/** Patterns with wildcards are not followed here: what they leave is not known. */
function replaced(value: string, { how, pattern, by }: Replacement, { environment, expand }: Scope): string {
  const wanted = expand(pattern);
  if (wanted === '') return value;
  if (/[\ue000-\ue002]/.test(wanted)) return environment.something();
  const text = expand(by);
  if (how === '//') return value.replaceAll(wanted, () => text);
  if (how === '/#') return value.startsWith(wanted) ? text + value.slice(wanted.length) : value;
  if (how === '/%') return value.endsWith(wanted) ? value.slice(0, -wanted.length) + text : value;
  return value.replace(wanted, () => text);
}

function sliced(value: string, from: number, length: number | undefined): string {
  const start = from < 0 ? Math.max(value.length + from, 0) : from;
  if (length === undefined) return value.slice(start);
  return length < 0 ? value.slice(start, length) : value.slice(start, start + length);
}
