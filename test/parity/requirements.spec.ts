import { olliesrvNamespace } from '../../apps/olliesrv/src/namespace/root.js';
import { specsOf, wordsOf } from '../support/table-rows.js';
import { titlesIn } from '../support/test-titles.js';
import { DECISIONS } from './proofs/decisions.js';
import type { Claims } from './proofs/proof.js';
import { REQUIREMENTS } from './proofs/requirements.js';
import { ROWS } from './proofs/rows.js';
import { TABLES } from './proofs/tables.js';

const numbers = (first: number, last: number): readonly string[] =>
  Array.from({ length: last - first + 1 }, (_none, at) => `R${String(first + at)}`);

/** What there has to be an entry for. */
const REQUIRED: readonly (readonly [what: string, claims: Claims, keys: readonly string[]])[] = [
  ['requirement', REQUIREMENTS, [...numbers(93, 152), ...numbers(184, 185), ...numbers(191, 199)]],
  ['decision', DECISIONS, [1, 12, 13, 14, 19, 20, 21, 22, 23, 24, 25, 33, 35, 48, 49].map((number) => `D${String(number)}`)],
  [
    'row and command',
    ROWS,
    [...specsOf(olliesrvNamespace)].flatMap(([path, spec]) => [path, ...wordsOf(spec).map((word) => `${path}: ${word}`)]),
  ],
];

/** What is not there yet, and so has no whole proof. */
const INCOMPLETE = ['R96', 'R128', 'R135', 'R139', 'R191', 'R193', 'D35'];

const read = new Map<string, ReturnType<typeof titlesIn>>();

/** Each file is read once. */
function testsOf(file: string): ReturnType<typeof titlesIn> {
  const titles = read.get(file) ?? titlesIn(file);
  read.set(file, titles);
  return titles;
}

describe('what has to hold of olliesrv’s namespace', () => {
  it.each(REQUIRED)('has an entry for each %s, and no other', (_what, claims, keys) => {
    expect(Object.keys(claims).sort()).toEqual([...keys].sort());
  });

  it.each(REQUIRED)('is shown by tests that are there: %s', (_what, claims) => {
    const cited = Object.entries(claims).flatMap(([key, { proofs }]) => proofs.map((proof) => ({ key, ...proof })));
    const lost = cited.flatMap(({ key, file, titles }) =>
      titles.filter((title) => !testsOf(file).has(title)).map((title) => `${key}: ${file}: ${title}`),
    );
    expect(lost).toEqual([]);
  });

  it('is shown with all rows of the tables that tests are tried with', () => {
    const cited = REQUIRED.flatMap(([, claims]) => Object.values(claims)).flatMap(({ proofs }) => proofs);
    const rows = cited.flatMap(({ file, titles }) => titles.map((title) => [`${file}: ${title}`, testsOf(file).get(title)] as const));
    expect(Object.fromEntries(rows.filter(([, count = 1]) => count !== 1))).toEqual(TABLES);
  });

  it('is shown by at least one test each, as far as it is there', () => {
    const all = REQUIRED.flatMap(([, claims]) => Object.entries(claims));
    expect(all.filter(([, { missing }]) => missing !== undefined).map(([key]) => key)).toEqual(INCOMPLETE);
    const unproved = all.filter(([, { proofs, missing }]) => missing === undefined && proofs.flatMap(({ titles }) => titles).length === 0);
    expect(unproved.map(([key]) => key)).toEqual([]);
  });
});
