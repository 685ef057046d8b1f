import { isWritable, WHOLE_HOME, type Candidate } from './candidate.js';
import { SandboxConfigError } from './errors.js';
import { covers, overlap, realPathOf } from './path-check.js';
import type { ClosedPlace, PathVariables } from './policy.js';
import { union } from './grant-class.js';
import { closureOf } from './withhold.js';

/**
 * A variable that happens to be `/`, the home directory or something above it is refused, unless another rule names that
 * path with the same rights; so is a working directory that would let tools write where what is Ollie's own is: granted
 * around it, it would be of little use.
 */
export function refuseAccidents(candidates: readonly Candidate[], variables: PathVariables, closed: readonly ClosedPlace[]): void {
  const home = realPathOf(variables['HOME'] || '/');
  for (const candidate of candidates) {
    if (isMeant(candidate, candidates)) continue;
    refuseWhole(candidate, home);
    if (candidate.text.includes('{CWD}')) refuseOwn(candidate, closed);
  }
}

function isMeant(candidate: Candidate, all: readonly Candidate[]): boolean {
  const { place, text, access, explicit } = candidate;
  if (explicit) return !(WHOLE_HOME.test(text) && place.path === '/');
  return all.some(
    (other) =>
      other.explicit && other.place.path !== '/' && covers(other.place.path, place.path) && union(other.access, access) === other.access,
  );
}

function refuseWhole({ place, text, origin }: Candidate, home: string): void {
  if (place.path !== '/' && !covers(place.path, home)) return;
  const what = place.path === home ? 'the home directory' : 'a directory that holds the home directory';
  throw new SandboxConfigError(
    `${origin}: ${text} is ${place.path === '/' ? 'the root of the file system' : `${what} (${place.path})`}: ` +
      `tools would get all of it; work in a directory below, or list that path by name`,
  );
}

function refuseOwn(candidate: Candidate, closed: readonly ClosedPlace[]): void {
  const { place, text, origin } = candidate;
  const own = closed.find(({ path, holdsTools }) => holdsTools === true && overlap(place.path, path));
  if (own === undefined || !isWritable(candidate) || closureOf(place.path, closed)?.most === 'rwx') return;
  throw new SandboxConfigError(
    `${origin}: ${text} (${place.path}) holds ${own.why} (${own.path}) or lies in it: ` +
      `tools could rewrite what holds them; work in another directory`,
  );
}

/** True for a path below a directory that tools may write, which leads out of it by a link: tools, or whoever filled the directory, chose its target. */
export function isLedOut(candidate: Candidate, all: readonly Candidate[]): boolean {
  const { path, place } = candidate;
  return all.some(
    (other) =>
      isWritable(other) &&
      other.path !== path &&
      (covers(other.path, path) || covers(other.place.path, path)) &&
      !covers(other.place.path, place.path),
  );
}

/** A list of sockets that names something else means something else. */
export function refuseOthers(candidates: readonly Candidate[]): void {
  const other = candidates.find(({ socket, place }) => socket === true && !place.info.isSocket());
  if (other) throw new SandboxConfigError(`${other.origin}: ${other.place.path} is not a socket`);
}
