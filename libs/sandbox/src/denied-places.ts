import type { Circumstances } from './candidate.js';
import { covers, plainPath, realPathOf } from './path-check.js';
import { expandVariables } from './path-variables.js';
import type { PathText, PolicyDocument } from './policy-document.js';
import type { ClosedPlace } from './policy.js';

/** What `filesystem.deny` closes. A path that does not exist is closed as well, so that it cannot come to be. */
export function closedBy(documents: readonly PolicyDocument[], circumstances: Circumstances): readonly ClosedPlace[] {
  return documents.flatMap(({ deny }) => deny.flatMap((rule) => placesOf(rule, circumstances)));
}

/** A denied place has no openings, such as one for tools in what is Ollie's own would be; but for the private TMPDIR, which every tool needs. */
export function closing(own: readonly ClosedPlace[], denied: readonly ClosedPlace[]): readonly ClosedPlace[] {
  const kept = own.filter(({ path, most }) => most === 'rwx' || !denied.some((place) => covers(place.path, path)));
  return [...kept, ...denied];
}

function placesOf({ text, origin }: PathText, { variables, notes }: Circumstances): readonly ClosedPlace[] {
  const expansion = expandVariables(text, origin, variables);
  if ('unset' in expansion) {
    notes.push(`${origin}: {${expansion.unset}} is not set; skipped`);
    return [];
  }
  return expansion.paths.map((path) => ({ path: realPathOf(plainPath(path, origin)), most: undefined, why: `closed by ${origin}` }));
}
