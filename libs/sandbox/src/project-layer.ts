import { candidatesOf, type Candidate, type Circumstances } from './candidate.js';
import { includes } from './grant-class.js';
import type { PathGrant } from './policy.js';
import type { PolicyDocument } from './policy-document.js';
import { opensSocket, rightsAt } from './rights.js';

/** The notes on what a project's file would add, were it trusted. What is granted already is nothing to speak of. */
export function refusedWidenings(document: PolicyDocument, grants: readonly PathGrant[], circumstances: Circumstances): readonly string[] {
  const notes: string[] = [];
  const rules = [...(document.rules ?? []), ...(document.sockets ?? [])];
  const candidates = rules.flatMap((rule) => candidatesOf(rule, { ...circumstances, bestEffort: true, notes }));
  const widening = candidates.filter((candidate) => !isGranted(candidate, grants));
  return [...notes, ...widening.map(({ origin, path }) => noEffect(origin, path, document.file))];
}

/** A project's file gains no power by itself: whoever sends a repository would write it. */
export function noEffect(origin: string, what: string, file: string): string {
  return `${origin}: ${what} would widen the policy; no effect until you trust this file (toolsrv sandbox trust ${file})`;
}

function isGranted({ place, access, socket }: Candidate, grants: readonly PathGrant[]): boolean {
  if (socket === true) return opensSocket(grants, place.path);
  const rights = rightsAt(grants, place.path);
  return rights !== undefined && includes(rights, access);
}
