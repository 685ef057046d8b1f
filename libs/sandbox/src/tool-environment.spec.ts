import fc from 'fast-check';
import { toolEnvironment } from './index.js';

describe('the environment of a tool', () => {
  it('holds the listed names only, and those that begin with a listed prefix', () => {
    const environment = { PATH: '/bin', LC_ALL: 'C', LC_TIME: 'x', HOME: undefined, SECRET: 's', PATHS: 'p', EMPTY: '' };
    expect(toolEnvironment({ env: ['PATH', 'LC_*', 'HOME', 'EMPTY'] }, environment)).toEqual({
      PATH: '/bin',
      LC_ALL: 'C',
      LC_TIME: 'x',
      EMPTY: '',
    });
  });

  it('holds a name that is a secret by custom only when it is listed in full', () => {
    const environment = { APP_NAME: 'a', APP_API_KEY: 'k', APP_TOKEN: 't' };
    expect(toolEnvironment({ env: ['APP_*'] }, environment)).toEqual({ APP_NAME: 'a' });
    expect(toolEnvironment({ env: ['APP_*', 'APP_TOKEN'] }, environment)).toEqual({ APP_NAME: 'a', APP_TOKEN: 't' });
  });

  it('never holds anything that no entry names', () => {
    const name = fc.stringMatching(/^[A-Z]{1,3}$/);
    fc.assert(
      fc.property(fc.array(name), fc.dictionary(name, fc.string()), (env, environment) => {
        expect(Object.keys(toolEnvironment({ env }, environment)).every((key) => env.includes(key))).toBe(true);
      }),
    );
  });
});
