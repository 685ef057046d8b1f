import { parsePolicy } from '#sandbox';
import { environmentFor } from './tool-environment.js';

const policy = parsePolicy('env: [HOME, GOPATH, "LC_*"]\n', 'test', {});
const sources = { policy, wanted: [], call: {}, cwd: '/p', tmp: '/private', agent: 'a-1', session: 's-1' };

describe('the environment of a tool', () => {
  test('holds what the policy names and what every tool has, and nothing else', () => {
    const server = {
      HOME: '/h',
      GOPATH: '/g',
      LC_ALL: 'C',
      PATH: '/p/node_modules/.bin:/usr/bin',
      DISPLAY: ':0',
      npm_config_x: '1',
      TMPDIR: '/tmp',
    };
    expect(environmentFor({ ...sources, server })).toEqual({
      HOME: '/h',
      GOPATH: '/g',
      LC_ALL: 'C',
      PATH: '/usr/bin',
      PWD: '/p',
      TMPDIR: '/private',
      TERM: 'dumb',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      OLLIE_AGENT_ID: 'a-1',
      OLLIE_SESSION_ID: 's-1',
    });
  });

  test('holds none of eleven planted secrets', () => {
    const planted = {
      OLLIE_ANTHROPIC_KEY: 'planted',
      OLLIE_OPENAI_KEY: 'planted',
      OLLIE_COPILOT_TOKEN: 'planted',
      OLLIE_COPILOT_HEADERS: '{"Authorization":"planted"}',
      OLLIE_TCP_SECRET: 'planted',
      OLLIE_OPENAI_URL: 'https://user:planted@host/v1',
      OPENAI_API_KEY: 'planted',
      AWS_SECRET_ACCESS_KEY: 'planted',
      GITHUB_TOKEN: 'planted',
      SSH_AUTH_SOCK: '/planted',
      PGPASSWORD: 'planted',
    };
    const env = environmentFor({ ...sources, server: { ...planted, OLLIE_CFG_PATH: '/c' } });
    expect(JSON.stringify(env)).not.toContain('planted');
    expect(env['OLLIE_CFG_PATH']).toBe('/c');
  });

  test('a tool gets the variables that its metadata asks for', () => {
    expect(environmentFor({ ...sources, wanted: ['RG_CONFIG', 'ABSENT'], server: { RG_CONFIG: 'x' } })).toMatchObject({ RG_CONFIG: 'x' });
  });

  test('the agent of ssh is named to a tool that asks for it only where the policy opens its socket', () => {
    const asking = { ...sources, wanted: ['SSH_AUTH_SOCK'], server: { SSH_AUTH_SOCK: '/run/agent' } };
    expect(environmentFor(asking)).not.toHaveProperty('SSH_AUTH_SOCK');
    const opening = { ...policy, env: ['SSH_AUTH_SOCK'] };
    expect(environmentFor({ ...asking, policy: opening })).toMatchObject({ SSH_AUTH_SOCK: '/run/agent' });
  });

  test('a call may set what the policy allows and what is Ollie’s own, without secrets', () => {
    const env = environmentFor({ ...sources, server: { HOME: '/h' }, call: { GOPATH: '/mine', OLLIE_SESSION: 'x' } });
    expect(env).toMatchObject({ GOPATH: '/mine', OLLIE_SESSION: 'x', HOME: '/h' });
  });

  test.each(['LD_PRELOAD', 'OLLIE_X_KEY'])('a call that sets %s is refused', (name) => {
    expect(() => environmentFor({ ...sources, server: {}, call: { [name]: 'x' } })).toThrow(
      `invalid arguments: /env.${name} is not allowed by the sandbox policy`,
    );
  });

  test('a call cannot move TMPDIR or claim another agent', () => {
    const own = environmentFor({ ...sources, server: {}, call: { OLLIE_AGENT_ID: 'other' } });
    expect(own).toMatchObject({ TMPDIR: '/private', OLLIE_AGENT_ID: 'a-1' });
  });
});
