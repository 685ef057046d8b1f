import { SandboxConfigError } from './errors.js';
import { covers, placeAt, plainPath, type Place } from './path-check.js';
import { expandVariables } from './path-variables.js';
import type { PathRule } from './policy-document.js';
import type { GrantClass, PathGrant, PathVariables } from './policy.js';

export interface Granted {
  readonly grants: readonly PathGrant[];
  readonly notes: readonly string[];
}

/** A rule with one expansion of its text. `explicit`: the path is written out, or is `{HOME}` itself. */
interface Candidate extends PathRule {
  readonly place: Place;
  readonly explicit: boolean;
}

/**
 * Rules to grants. A missing path is skipped with a note under best effort and an error otherwise.
 * A variable that happens to be `/`, the home directory or something above it is refused, unless another rule names that path.
 */
export function grantsOf(rules: readonly PathRule[], variables: PathVariables, bestEffort: boolean): Granted {
  const notes: string[] = [];
  const candidates = rules.flatMap((rule) => candidatesOf(rule, { variables, bestEffort, notes }));
  const home = placeAt(variables['HOME'] || '/')?.path ?? '/';
  const explicit = candidates.filter((candidate) => candidate.explicit).map((candidate) => candidate.place.path);
  for (const candidate of candidates) refuseAccident(candidate, home, explicit);
  return { grants: union(candidates), notes: [...notes, ...candidates.flatMap(remarksOn)] };
}

const WHOLE_HOME = /^\{HOME\}\/*$/;

interface Circumstances {
  readonly variables: PathVariables;
  readonly bestEffort: boolean;
  readonly notes: string[];
}

function candidatesOf(rule: PathRule, { variables, bestEffort, notes }: Circumstances): readonly Candidate[] {
  const expansion = expandVariables(rule.text, rule.origin, variables);
  if ('unset' in expansion) {
    notes.push(`${rule.origin}: {${expansion.unset}} is not set; skipped`);
    return [];
  }
  const explicit = WHOLE_HOME.test(rule.text) || !rule.text.includes('{');
  return expansion.paths.flatMap((text) => {
    const path = plainPath(text, rule.origin);
    const place = placeAt(path);
    if (place) return [{ ...rule, place, explicit }];
    if (!bestEffort) throw new SandboxConfigError(`${rule.origin}: no such path: ${path} (general.best_effort: true would skip it)`);
    notes.push(`${rule.origin}: no such path: ${path}; skipped`);
    return [];
  });
}

function refuseAccident({ place, text, origin, explicit }: Candidate, home: string, named: readonly string[]): void {
  if (explicit && !(WHOLE_HOME.test(text) && place.path === '/')) return;
  const whole = place.path === '/' || covers(place.path, home);
  if (!whole || named.some((path) => path !== '/' && covers(path, place.path))) return;
  const what = place.path === home ? 'the home directory' : 'a directory that holds the home directory';
  throw new SandboxConfigError(
    `${origin}: ${text} is ${place.path === '/' ? 'the root of the file system' : `${what} (${place.path})`}: ` +
      `tools would get all of it; work in a directory below, or list that path by name`,
  );
}

/** Sockets take no part: tools cannot open any. */
const grantable = ({ place }: Candidate): boolean => !place.info.isSocket();

function remarksOn(candidate: Candidate): readonly string[] {
  const { origin, place, access } = candidate;
  if (!grantable(candidate)) return [`${origin}: ${place.path} is a socket, which tools cannot connect to; skipped`];
  if (place.path === '/') return [`${origin}: grants the whole file system`];
  if (place.info.isFile() && access.startsWith('rw'))
    return [`${origin}: ${place.path} is a file: programs that replace it by a rename will fail; list its directory instead`];
  return [];
}

function union(candidates: readonly Candidate[]): readonly PathGrant[] {
  const byPath = new Map<string, PathGrant>();
  for (const { place, access, origin } of candidates.filter(grantable)) {
    const known = byPath.get(place.path);
    const grant = known
      ? { ...known, access: both(known.access, access), origin: `${known.origin}, ${origin}` }
      : { path: place.path, access, origin };
    byPath.set(place.path, grant);
  }
  return [...byPath.values()];
}

function both(one: GrantClass, other: GrantClass): GrantClass {
  const classes = [one, other];
  const write = classes.some((access) => access.startsWith('rw'));
  const execute = classes.some((access) => access.endsWith('x'));
  if (write) return execute ? 'rwx' : 'rw';
  return execute ? 'rox' : 'ro';
}
