import fc from 'fast-check';
import { effectiveGrants } from './effective-grants.js';
import type { GrantClass, PathGrant } from './policy.js';
import { rightsAt } from './rights.js';

const grant = (path: string, access: GrantClass): PathGrant => ({ path, access, origin: '' });

describe('the grants that count', () => {
  it('are those that give more than what lies above them', () => {
    const [usr, tools, own, node] = [
      grant('/usr', 'rox'),
      grant('/w/tools', 'rox'),
      grant('/w/tools', 'rox'),
      grant('/usr/bin/node', 'rox'),
    ];
    const [work, cache] = [grant('/w', 'ro'), grant('/usr/cache', 'rw')];
    expect(effectiveGrants([usr, tools, own, node, work, cache])).toEqual([usr, tools, work, cache]);
    const socket: PathGrant = { path: '/w/s', access: 'rw', origin: '', socket: true };
    expect(effectiveGrants([grant('/', 'rwx'), socket, grant('/w/s/x', 'ro')])).toEqual([grant('/', 'rwx'), socket]);
  });

  it('give at every path what all of them gave', () => {
    const path = fc.array(fc.constantFrom('a', 'b'), { maxLength: 3 }).map((names) => `/${names.join('/')}`);
    const grants = fc.array(fc.tuple(path, fc.constantFrom<GrantClass>('ro', 'rox', 'rw', 'rwx')).map(([at, access]) => grant(at, access)));
    fc.assert(
      fc.property(grants, path, (given, at) => {
        expect(rightsAt(effectiveGrants(given), at)).toBe(rightsAt(given, at));
      }),
    );
  });
});
