import { userInfo } from 'node:os';
import { packageRoot } from './package-root.js';
import { Paths } from './paths.js';

const packaged = `${packageRoot()}/config`;

describe('paths', () => {
  it('lie below the home directory by default', () => {
    const paths = Paths.from({ HOME: '/h' });
    expect(paths).toMatchObject({
      home: '/h',
      config: '/h/.config/ollie',
      data: '/h/.local/share/ollie',
      runtime: '/h/.local/share/ollie/run',
      packaged,
    });
    expect(paths.tools).toEqual(['/h/.config/ollie/tools', `${packaged}/tools`]);
    expect(paths.agents).toEqual(['/h/.config/ollie/agents', `${packaged}/agents`]);
    expect(paths.prompts).toEqual(['/h/.config/ollie/prompts', `${packaged}/prompts`]);
  });

  it('follow the XDG variables, unless those are relative', () => {
    const env = { HOME: '/h', XDG_CONFIG_HOME: '/xc', XDG_DATA_HOME: 'relative', XDG_RUNTIME_DIR: '/run/user/1' };
    expect(Paths.from(env)).toMatchObject({ config: '/xc/ollie', data: '/h/.local/share/ollie', runtime: '/run/user/1/ollie' });
  });

  it('follow OLLIE_* before anything else, with ~ for home', () => {
    const env = { HOME: '/h', XDG_CONFIG_HOME: '/xc', OLLIE_CFG_PATH: '~/c', OLLIE_DATA_PATH: '/d', OLLIE_TOOLS_PATH: '/a::~/b' };
    const paths = Paths.from(env);
    expect(paths).toMatchObject({ config: '/h/c', data: '/d', runtime: '/d/run' });
    expect(paths.tools).toEqual(['/a', '/h/b', `${packaged}/tools`]);
    expect(paths.agents[0]).toBe('/h/c/agents');
  });

  it('count an empty variable as missing, HOME too', () => {
    expect(Paths.from({ HOME: '', OLLIE_CFG_PATH: '' }).home).toBe(userInfo().homedir);
    expect(Paths.from({ HOME: '/h', OLLIE_CFG_PATH: '' }).config).toBe('/h/.config/ollie');
  });
});
