import { readFileSync } from 'node:fs';
import { Ollie, processesWith } from './ollie.js';

jest.setTimeout(90_000);

const PLANTED = {
  OLLIE_OPENAI_KEY: 'planted-01',
  OLLIE_ANTHROPIC_KEY: 'planted-02',
  OLLIE_COPILOT_TOKEN: 'planted-03',
  OLLIE_KIRO_TOKEN: 'planted-04',
  OPENAI_API_KEY: 'planted-05',
  GITHUB_TOKEN: 'planted-06',
  AWS_SECRET_ACCESS_KEY: 'planted-07',
  DATABASE_PASSWORD: 'planted-08',
  OLLIE_MY_SECRET: 'planted-09',
  NPM_TOKEN: 'planted-10',
};

describe('secrets of the environment', () => {
  const ollie = new Ollie(PLANTED);
  beforeAll(() => ollie.start());
  afterAll(() => ollie.destroy());

  it('reach neither a tool, nor toolsrv, nor the env file of a session', async () => {
    const { stdout } = await ollie.sh(`
      echo name=s | ollie-9p write session/new
      echo name=a | ollie-9p write session/s/agent/new
      echo 'run env; cat /proc/$PPID/environ | tr "\\0" "\\n"' | ollie-9p write session/s/agent/a/prompt
      ollie-9p read session/s/agent/a/chat
      ollie-9p read session/s/env
    `);
    expect(stdout).toContain('PATH=');
    expect(stdout).toContain('OLLIE_SESSION=s\n');
    expect(stdout).not.toContain('planted-');
    const [toolsrv] = processesWith('toolsrv.mjs').filter(({ command }) => command.includes(ollie.folder));
    const environment = readFileSync(`/proc/${String(toolsrv?.pid)}/environ`, 'utf8');
    expect(environment).toContain('PATH=');
    expect(environment).not.toContain('planted-');
  });

  it('are not in any command line', () => {
    expect(processesWith('planted-')).toEqual([]);
  });
});
