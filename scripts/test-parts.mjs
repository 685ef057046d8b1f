// Divides the specs of a whole run into parts: those that run side by side, and those that need the machine for themselves.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const MOST_IN_A_PART = 40;

/** A spec says so, with the reason, in a line of its own. */
const ALONE = /^\/\/ Runs alone: \S/m;

/** What takes longest begins first, so that no part is left over at the end. What stands in none of them comes last. */
const FIRST = ['test/guest/', 'test/mount/', 'test/e2e/', 'test/sandbox/', 'test/'];

/** Gives `{ beside, alone }`: lists of parts, each a list of spec files. */
export function partsOf(root, files) {
  const alone = files.filter((file) => ALONE.test(readFileSync(file, 'utf8')));
  const others = files.filter((file) => !alone.includes(file)).sort();
  const placeOf = (file) => FIRST.findIndex((folder) => relative(root, file).startsWith(folder));
  const places = [...FIRST.keys(), -1].map((place) => others.filter((file) => placeOf(file) === place));
  return { beside: places.flatMap(cut), alone: cut(alone) };
}

/** Parts of about the same length. */
function cut(files) {
  const count = Math.ceil(files.length / MOST_IN_A_PART);
  return Array.from({ length: count }, (_, part) => files.filter((_file, n) => n % count === part));
}
