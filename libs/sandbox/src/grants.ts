import { candidatesOf, isWritable, type Candidate } from './candidate.js';
import { isLedOut, refuseAccidents } from './grant-checks.js';
import { union } from './grant-class.js';
import type { PathRule } from './policy-document.js';
import type { PathGrant, PathVariables } from './policy.js';

export interface Granted {
  readonly grants: readonly PathGrant[];
  readonly notes: readonly string[];
}

/**
 * Rules to grants. A missing path is skipped with a note under best effort and an error otherwise.
 * What a variable grants by accident is refused (`refuseAccidents`), what a link leads out of a writable directory is skipped.
 */
export function grantsOf(rules: readonly PathRule[], variables: PathVariables, bestEffort: boolean): Granted {
  const notes: string[] = [];
  const candidates = rules.flatMap((rule) => candidatesOf(rule, { variables, bestEffort, notes }));
  refuseAccidents(candidates, variables);
  const kept = candidates.filter((candidate) => !isLedOut(candidate, candidates));
  const led = candidates.filter((candidate) => !kept.includes(candidate));
  const skipped = led.map(({ origin, path, place }) => `${origin}: ${path} is a link to ${place.path} that tools could change; skipped`);
  return { grants: sum(kept), notes: [...notes, ...skipped, ...kept.flatMap(remarksOn)] };
}

/** Sockets take no part: tools cannot open any. */
const grantable = ({ place }: Candidate): boolean => !place.info.isSocket();

function remarksOn(candidate: Candidate): readonly string[] {
  const { origin, place } = candidate;
  if (!grantable(candidate)) return [`${origin}: ${place.path} is a socket, which tools cannot connect to; skipped`];
  if (place.path === '/') return [`${origin}: grants the whole file system`];
  if (place.info.isFile() && isWritable(candidate))
    return [`${origin}: ${place.path} is a file: programs that replace it by a rename will fail; list its directory instead`];
  return [];
}

function sum(candidates: readonly Candidate[]): readonly PathGrant[] {
  const byPath = new Map<string, PathGrant>();
  for (const { place, access, origin } of candidates.filter(grantable)) {
    const known = byPath.get(place.path);
    const grant = known
      ? { ...known, access: union(known.access, access), origin: `${known.origin}, ${origin}` }
      : { path: place.path, access, origin };
    byPath.set(place.path, grant);
  }
  return [...byPath.values()];
}
