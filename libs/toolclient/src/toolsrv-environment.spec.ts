import { toolsrvEnvironment } from './toolsrv-environment.js';

describe('the environment of a tool server', () => {
  it('lacks what names a secret, and what is not set', () => {
    const secrets = {
      OLLIE_OPENAI_KEY: 'x',
      OLLIE_COPILOT_TOKEN: 'x',
      GITHUB_TOKEN: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
      DB_PASSWORD: 'x',
      MY_SECRET: 'x',
    };
    expect(toolsrvEnvironment({ ...secrets, PATH: '/bin', OLLIE_TOOLS_PATH: '/t', EMPTY: undefined })).toEqual({
      MALLOC_TRIM_THRESHOLD_: '1048576',
      PATH: '/bin',
      OLLIE_TOOLS_PATH: '/t',
    });
  });

  it('has the C library keep little, unless the user says otherwise', () => {
    expect(toolsrvEnvironment({})).toEqual({ MALLOC_TRIM_THRESHOLD_: '1048576' });
    expect(toolsrvEnvironment({ MALLOC_TRIM_THRESHOLD_: '5' })).toEqual({ MALLOC_TRIM_THRESHOLD_: '5' });
  });
});
