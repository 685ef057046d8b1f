import fc from 'fast-check';
import { includes, meet } from './grant-class.js';
import { intersectGrants, intersectNames } from './intersect.js';
import type { GrantClass, PathGrant } from './policy.js';
import { rightsAt } from './rights.js';

const CLASSES: readonly GrantClass[] = ['ro', 'rox', 'rw', 'rwx'];
const path = fc.array(fc.constantFrom('a', 'ab', 'b'), { maxLength: 3 }).map((names) => `/${names.join('/')}`);
const grants = fc.array(fc.record({ path, access: fc.constantFrom(...CLASSES), origin: fc.constant('o') }), { maxLength: 6 });

/** By the definition: at a path, what both give there. */
function both(one: readonly PathGrant[], other: readonly PathGrant[], at: string): GrantClass | undefined {
  const [first, second] = [rightsAt(one, at), rightsAt(other, at)];
  return first === undefined || second === undefined ? undefined : meet(first, second);
}

describe('the intersection of two lists of grants', () => {
  it('gives at every path exactly what both give there', () => {
    fc.assert(
      fc.property(grants, grants, path, (one, other, at) => {
        expect(rightsAt(intersectGrants(one, other), at)).toBe(both(one, other, at));
      }),
      { numRuns: 2000 },
    );
  });

  it('never gives more than the base', () => {
    fc.assert(
      fc.property(grants, grants, path, (base, limit, at) => {
        const [rights, had] = [rightsAt(intersectGrants(base, limit), at), rightsAt(base, at)];
        expect(rights === undefined || (had !== undefined && includes(had, rights))).toBe(true);
      }),
    );
  });
});

describe('the intersection of two lists of variable names', () => {
  it.each<readonly [string[], string[], string[]]>([
    [['PATH', 'HOME'], ['HOME', 'TERM'], ['HOME']],
    [['LC_*'], ['LC_ALL', 'LANG'], ['LC_ALL']],
    [['LC_ALL'], ['LC_*'], ['LC_ALL']],
    [['GIT_*'], ['GIT_AUTHOR_*'], ['GIT_AUTHOR_*']],
    [['A_*'], ['B_*'], []],
    [['PATH'], [], []],
  ])('of %j and %j is %j', (base, limit, names) => {
    expect(intersectNames(base, limit)).toEqual(names);
  });

  it('lets no secret through that the base let pass by no name', () => {
    expect(intersectNames(['APP_*'], ['APP_TOKEN', 'APP_NAME'])).toEqual(['APP_NAME']);
    expect(intersectNames(['APP_TOKEN'], ['APP_TOKEN'])).toEqual(['APP_TOKEN']);
  });
});
