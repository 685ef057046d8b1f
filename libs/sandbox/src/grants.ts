import { candidatesOf, isWritable, type Candidate, type Circumstances } from './candidate.js';
import { isLedOut, refuseAccidents, refuseOthers } from './grant-checks.js';
import { union } from './grant-class.js';
import type { PathRule } from './policy-document.js';
import type { ClosedPlace, PathGrant } from './policy.js';

/**
 * Rules to grants, notes to `circumstances`. What a variable grants by accident is refused (`refuseAccidents`),
 * what a link leads out of a writable directory is skipped.
 */
export function grantsOf(rules: readonly PathRule[], circumstances: Circumstances, closed: readonly ClosedPlace[]): readonly PathGrant[] {
  const candidates = rules.flatMap((rule) => candidatesOf(rule, circumstances));
  refuseAccidents(candidates, circumstances.variables, closed);
  refuseOthers(candidates);
  const kept = candidates.filter((candidate) => !isLedOut(candidate, candidates));
  const led = candidates.filter((candidate) => !kept.includes(candidate));
  const skipped = led.map(({ origin, path, place }) => `${origin}: ${path} is a link to ${place.path} that tools could change; skipped`);
  circumstances.notes.push(...skipped, ...kept.flatMap(remarksOn));
  return kept.filter(grantable).map(toGrant);
}

/** One grant a path, with the rights and origins of all that name it. */
export function summed(grants: readonly PathGrant[]): readonly PathGrant[] {
  const byPath = new Map<string, PathGrant>();
  for (const grant of grants) {
    const known = byPath.get(grant.path);
    byPath.set(grant.path, known === undefined ? grant : added(known, grant));
  }
  return [...byPath.values()];
}

function added(known: PathGrant, { access, origin }: PathGrant): PathGrant {
  const origins = known.origin.includes(origin) ? known.origin : `${known.origin}, ${origin}`;
  return { ...known, access: union(known.access, access), origin: origins };
}

export function toGrant({ place, access, origin, socket }: Candidate): PathGrant {
  return { path: place.path, access, origin, ...(socket === true ? { socket } : {}) };
}

/** A socket is opened under its own key only. */
const grantable = ({ place, socket }: Candidate): boolean => socket === true || !place.info.isSocket();

function remarksOn(candidate: Candidate): readonly string[] {
  const { origin, place } = candidate;
  if (!grantable(candidate)) return [`${origin}: ${place.path} is a socket: network.unix lists those; skipped`];
  if (place.path === '/') return [`${origin}: grants the whole file system`];
  if (place.info.isFile() && isWritable(candidate))
    return [`${origin}: ${place.path} is a file: programs that replace it by a rename will fail; list its directory instead`];
  return [];
}
