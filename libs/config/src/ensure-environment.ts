import { join } from 'node:path';
import { loadEnvFile } from './env-file.js';
import { valueOf, type Environment } from './environment.js';
import { Paths } from './paths.js';

/**
 * The environment with the defaults of <config>/env and of every OLLIE_* path filled in; what is set already wins.
 * Where <config> is, only the environment itself can say. Throws ConfigError for a file that cannot be understood.
 */
export function ensureEnvironment(env: Environment): Record<string, string> {
  const { config } = Paths.from(env);
  const given = withoutEmpty({ ...loadEnvFile(join(config, 'env')), ...withoutEmpty(env) });
  return { ...defaults(Paths.from({ ...given, OLLIE_CFG_PATH: config })), ...given };
}

function defaults(paths: Paths): Record<string, string> {
  const inConfig = (name: string): string => join(paths.config, name);
  return {
    OLLIE: join(paths.home, 'mnt/ollie'),
    OLLIE_CFG_PATH: paths.config,
    OLLIE_DATA_PATH: paths.data,
    OLLIE_TOOLS_PATH: inConfig('tools'),
    OLLIE_AGENTS_PATH: inConfig('agents'),
    OLLIE_SKILLS_PATH: inConfig('skills'),
    OLLIE_PROMPTS_PATH: inConfig('prompts'),
    OLLIE_MEMORY_PATH: inConfig('memory'),
  };
}

function withoutEmpty(env: Environment): Record<string, string> {
  const names = Object.keys(env);
  return Object.fromEntries(names.flatMap((name) => [valueOf(env, name)].flatMap((value) => (value === undefined ? [] : [[name, value]]))));
}
