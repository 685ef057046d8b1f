import { writes } from './grant-class.js';
import { covers } from './path-check.js';
import type { ClosedPlace, PathGrant } from './policy.js';

/** Where the kernel takes its settings from. For others than root it judges by itself who may change one. */
const PLACES = ['/proc', '/sys'];

/**
 * What a rule for all of /proc, /sys or / does not let root's tools write: one setting there (the program that handles core dumps)
 * is root without a sandbox. What a rule names below them is meant.
 */
export function kernelPlaces(grants: readonly PathGrant[], uid: number | undefined): readonly ClosedPlace[] {
  if (uid !== 0) return [];
  const closed = PLACES.map((path) => ({ path, most: 'rox' as const, why: 'where the kernel takes its settings from' }));
  return [...closed, ...namedAmong(grants).map(({ path, origin }) => ({ path, most: 'rwx' as const, why: `named by ${origin}` }))];
}

/** What the kernel's settings are worth to whoever may write them as root. */
export function kernelWarnings(grants: readonly PathGrant[], uid: number | undefined): readonly string[] {
  if (uid !== 0) return [];
  return namedAmong(grants).map(
    ({ path, origin }) => `${origin}: WARNING: whoever may write to ${path} as root can change the kernel's settings`,
  );
}

function namedAmong(grants: readonly PathGrant[]): readonly PathGrant[] {
  const isBelow = (path: string): boolean => PLACES.some((place) => path !== place && covers(place, path));
  return grants.filter(({ path, access }) => writes(access) && isBelow(path));
}
