import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Paths } from '#config';
import { demoEnvironment } from './demo-environment.js';
import { Workspace } from './workspace.js';

describe('the environment of the demo', () => {
  let template: string;
  let workspace: Workspace;

  beforeEach(() => {
    template = mkdtempSync(join(tmpdir(), 'ollie-template-'));
    workspace = new Workspace(template);
  });
  afterEach(() => {
    workspace.remove();
    rmSync(template, { recursive: true });
  });

  it('puts every path of Ollie into the workspace, whatever the user has set', () => {
    const own = { HOME: '/h', OLLIE_CFG_PATH: '/c', OLLIE_TOOLS_PATH: '/t', XDG_CONFIG_HOME: '/xc', NAMESPACE: '/n', TMPDIR: '/tmp/x' };
    const env = demoEnvironment(own, workspace);
    const { home, config, data, runtime, tools } = Paths.from(env);
    for (const path of [home, config, data, runtime, tools[0], env.NAMESPACE, env.TMPDIR])
      expect(path).toMatch(new RegExp(`^${workspace.root}/`));
  });

  it('lets the demo script decide unless a backend is chosen', () => {
    expect(demoEnvironment({ OLLIE_OPENAI_KEY: 'k', OLLIE_MODEL: 'm' }, workspace)).toMatchObject({
      OLLIE_BACKEND: 'scripted',
      OLLIE_MODEL: 'demo',
    });
    expect(demoEnvironment({ OLLIE_BACKEND: 'openai', OLLIE_MODEL: 'm' }, workspace)).toMatchObject({
      OLLIE_BACKEND: 'openai',
      OLLIE_MODEL: 'm',
    });
  });

  it('passes on how to reach a model, and no other secret', () => {
    const own = {
      OLLIE_OPENAI_URL: 'u',
      OLLIE_OPENAI_KEY: 'k',
      OLLIE_COPILOT_HEADERS: 'h',
      HTTPS_PROXY: 'p',
      no_proxy: 'n',
      AWS_SECRET: 's',
      GITHUB_TOKEN: 't',
    };
    const env = demoEnvironment(own, workspace);
    expect(env).toMatchObject({
      OLLIE_OPENAI_URL: 'u',
      OLLIE_OPENAI_KEY: 'k',
      OLLIE_COPILOT_HEADERS: 'h',
      HTTPS_PROXY: 'p',
      no_proxy: 'n',
    });
    expect(Object.keys(env).filter((name) => name === 'AWS_SECRET' || name === 'GITHUB_TOKEN')).toEqual([]);
  });
});
