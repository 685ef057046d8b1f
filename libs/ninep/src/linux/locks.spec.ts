import { Fid } from '../fids.js';
import { lockKind, Locks } from './locks.js';

describe('the locks of a file', () => {
  const lock = (start: number, changes: { readonly path?: number; readonly kind?: number } = {}) => ({
    path: 1,
    kind: lockKind.write,
    range: { start, end: start + 1 },
    owner: { connection: 1, process: 1, client: 'c' },
    ...changes,
  });

  it('are 1024 at most, whoever holds them; other files have their own', () => {
    const [locks, fid] = [new Locks(), new Fid()];
    for (let n = 0; n < 1024; n++) expect(locks.take(lock(2 * n), fid)).toBe(true);
    expect(() => locks.take(lock(3000), fid)).toThrow('i/o error: too many locks');
    expect(locks.take(lock(3000, { path: 2 }), fid)).toBe(true);
    expect(locks.take(lock(0), fid)).toBe(true);
    expect(locks.take(lock(0, { kind: lockKind.none }), fid)).toBe(true);
    expect(locks.take(lock(3000), fid)).toBe(true);
  });
});
