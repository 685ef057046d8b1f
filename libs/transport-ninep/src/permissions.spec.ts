import { grantedAccess } from './permissions.js';

const READ = 0;
const WRITE = 1;
const BOTH = 2;
const EXECUTE = 3;
const TRUNCATE = 0x10;
const REMOVE_ON_CLOSE = 0x40;

describe('what an open is granted', () => {
  it('is what it asks for, where owner or group may', () => {
    expect(grantedAccess(READ, 0o444)).toEqual({ read: true, write: false, truncate: false });
    expect(grantedAccess(WRITE | TRUNCATE, 0o220)).toEqual({ read: false, write: true, truncate: true });
    expect(grantedAccess(BOTH, 0o660)).toEqual({ read: true, write: true, truncate: false });
  });

  it('is nothing where the bits say no', () => {
    const refused = [
      [WRITE, 0o444],
      [BOTH, 0o444],
      [READ, 0o220],
      [BOTH, 0o220],
      [READ | TRUNCATE, 0o444],
      [READ, 0o004],
    ] as const;
    for (const [mode, bits] of refused) expect(() => grantedAccess(mode, bits)).toThrow('permission denied');
  });

  it('is nothing for execution and for removal at the close', () => {
    expect(() => grantedAccess(EXECUTE, 0o777)).toThrow('permission denied');
    expect(() => grantedAccess(READ | REMOVE_ON_CLOSE, 0o777)).toThrow('permission denied');
  });
});
