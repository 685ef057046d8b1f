import { findProgram, programSearchPath } from './search-path.js';

describe('the search path of tools', () => {
  test('what npm adds for its scripts, relative entries and repetitions are left out', () => {
    const given = '/p/node_modules/.bin:/x/node-gyp-bin:/usr/bin:.:bin::/bin:/usr/bin:/p/node_modules/.bin/';
    expect(programSearchPath(given)).toBe('/usr/bin:/bin');
  });

  test('without anything left it is the system path', () => {
    expect(programSearchPath(undefined)).toContain('/usr/bin');
    expect(programSearchPath('/p/node_modules/.bin')).toContain('/usr/bin');
  });

  test('programs are executable regular files', () => {
    expect(findProgram('sh', '/nowhere:/bin')).toBe('/bin/sh');
    expect(findProgram('/bin/sh', '')).toBe('/bin/sh');
    expect(findProgram('passwd', '/etc')).toBeUndefined();
    expect(findProgram('bin', '/usr')).toBeUndefined();
  });
});
