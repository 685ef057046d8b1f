import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureEnvironment } from './ensure-environment.js';
import { ConfigError } from './errors.js';

describe('the completed environment', () => {
  let home: string;
  const writeEnvFile = (text: string): void => {
    mkdirSync(join(home, '.config/ollie'), { recursive: true });
    writeFileSync(join(home, '.config/ollie/env'), text);
  };

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'ollie-env-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  it('has a value for every path', () => {
    expect(ensureEnvironment({ HOME: home, TERM: 'x' })).toEqual({
      HOME: home,
      TERM: 'x',
      OLLIE: `${home}/mnt/ollie`,
      OLLIE_CFG_PATH: `${home}/.config/ollie`,
      OLLIE_DATA_PATH: `${home}/.local/share/ollie`,
      OLLIE_TOOLS_PATH: `${home}/.config/ollie/tools`,
      OLLIE_AGENTS_PATH: `${home}/.config/ollie/agents`,
      OLLIE_SKILLS_PATH: `${home}/.config/ollie/skills`,
      OLLIE_PROMPTS_PATH: `${home}/.config/ollie/prompts`,
      OLLIE_MEMORY_PATH: `${home}/.config/ollie/memory`,
    });
  });

  it('takes the env file before the defaults, and the process before the env file', () => {
    writeEnvFile('OLLIE_DATA_PATH=/from-file\nOLLIE_MODEL=from-file\n');
    const env = ensureEnvironment({ HOME: home, OLLIE_MODEL: 'from-process' });
    expect(env).toMatchObject({ OLLIE_DATA_PATH: '/from-file', OLLIE_MODEL: 'from-process' });
  });

  it('lets an empty variable be filled in', () => {
    writeEnvFile('OLLIE_MODEL=m\n');
    expect(ensureEnvironment({ HOME: home, OLLIE_MODEL: '', OLLIE: '' })).toMatchObject({ OLLIE_MODEL: 'm', OLLIE: `${home}/mnt/ollie` });
  });

  it('names the line of the env file that it cannot understand', () => {
    writeEnvFile('A=1\nnonsense\n');
    expect(() => ensureEnvironment({ HOME: home })).toThrow(new ConfigError(`${home}/.config/ollie/env:2: expected NAME=value`));
  });

  it('says so when the env file cannot be read', () => {
    mkdirSync(join(home, '.config/ollie/env'), { recursive: true });
    expect(() => ensureEnvironment({ HOME: home })).toThrow(/env: cannot be read: .*EISDIR/);
  });
});
