import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#config';
import { includes, meet } from './grant-class.js';
import { covers, placeAt } from './path-check.js';
import type { ClosedPlace, GrantClass, PathGrant } from './policy.js';

/** More entries than this around a closed place are a policy that nobody meant. */
const MAX_GRANTS = 8192;

export interface Withheld {
  readonly grants: readonly PathGrant[];
  readonly notes: readonly string[];
}

/**
 * Grants without the closed places. The kernel knows no exception below a granted directory, so one that holds a closed
 * place is replaced by its entries beside it, as they are now: nothing can be created next to a closed place, and no link
 * is followed. What all closed places below it allow, the directory keeps. Gives fewer rights, never more.
 */
export function withhold(grants: readonly PathGrant[], closed: readonly ClosedPlace[]): Withheld {
  const opened = grants.map((grant) => ({ grant, parts: without(grant, closed) }));
  return {
    grants: opened.flatMap(({ parts }) => (parts.length > MAX_GRANTS ? [] : parts)),
    notes: opened.flatMap(({ grant, parts }) => noteOn(grant, parts, closed)),
  };
}

/** The closed place that decides about a path: the deepest one, of equal ones the last. */
export function closureOf(path: string, closed: readonly ClosedPlace[]): ClosedPlace | undefined {
  return closed.reduce<ClosedPlace | undefined>((best, place) => {
    if (!covers(place.path, path)) return best;
    return best !== undefined && best.path.length > place.path.length ? best : place;
  }, undefined);
}

function without(grant: PathGrant, closed: readonly ClosedPlace[]): readonly PathGrant[] {
  const closure = closureOf(grant.path, closed);
  const access = leftOf(grant, closure);
  const below = closed.filter(({ path }) => path !== grant.path && covers(grant.path, path));
  if (access !== undefined && below.every(({ most }) => narrowed(access, most) === access)) return [{ ...grant, access }];
  if (access === undefined)
    return topmost(below)
      .filter(exists)
      .flatMap(({ path }) => without({ ...grant, path }, closed));
  const beside = entriesOf(grant.path).flatMap((path) => without({ ...grant, path }, closed));
  const common = below.reduce<GrantClass | undefined>((sum, { most }) => (sum === undefined ? undefined : narrowed(sum, most)), access);
  if (common === undefined) return beside;
  return [{ ...grant, access: common }, ...beside.filter((part) => !includes(common, part.access))];
}

/** A socket is open or closed: with fewer rights it is closed. */
function leftOf({ access, socket }: PathGrant, closure: ClosedPlace | undefined): GrantClass | undefined {
  const left = closure === undefined ? access : narrowed(access, closure.most);
  return socket === true && left !== access ? undefined : left;
}

function narrowed(access: GrantClass, most: GrantClass | undefined): GrantClass | undefined {
  return most === undefined ? undefined : meet(access, most);
}

const exists = ({ path }: ClosedPlace): boolean => placeAt(path)?.path === path;

function topmost(places: readonly ClosedPlace[]): readonly ClosedPlace[] {
  const isBelow = (path: string): boolean => places.some((other) => other.path !== path && covers(other.path, path));
  return places.filter(({ path }, index) => !isBelow(path) && places.findIndex((other) => other.path === path) === index);
}

/** Real files and directories only: a link would open its target, a socket cannot be granted. */
function entriesOf(directory: string): readonly string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory() || entry.isFile()).map(({ name }) => join(directory, name));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return [];
  }
}

function noteOn(grant: PathGrant, parts: readonly PathGrant[], closed: readonly ClosedPlace[]): readonly string[] {
  const { path, access, origin } = grant;
  if (parts.length === 1 && parts[0]?.path === path && parts[0].access === access) return [];
  return [`${origin}: ${path} ${becameOf(grant, parts, closed)}`];
}

function becameOf(grant: PathGrant, parts: readonly PathGrant[], closed: readonly ClosedPlace[]): string {
  const { path, access } = grant;
  const closure = closureOf(path, closed);
  const left = leftOf(grant, closure);
  if (closure !== undefined && left !== access)
    return `is ${closure.why}; ${left === undefined ? 'not granted' : `granted as ${left} at most`}`;
  if (parts.length > MAX_GRANTS) return 'holds closed places among too many entries; not granted';
  const around = closed.filter((place) => covers(path, place.path) && narrowed(access, place.most) !== access);
  const names = [...new Set(around.map((place) => `${place.path} (${place.why})`))].join(', ');
  return `is granted around ${names}: beside them only what is there now`;
}
