import { ConfigError, type Environment } from '#config';
import { settingOf, variableOf } from '../backend-definition.js';

const NUM_CTX = 'OLLIE_OLLAMA_NUM_CTX';

/** Throws ConfigError for an address or a window in the environment that cannot be one; an address may hold a password and is not shown. */
export function checkEnvironment(env: Environment, names: readonly string[]): void {
  for (const variable of names.map((name) => variableOf(name, 'URL'))) {
    const url = settingOf(env, variable);
    if (url !== undefined && !isHttp(url))
      throw new ConfigError(`${variable}: expected a URL of http or https, as http://127.0.0.1:8000/v1`);
  }
  const tokens = Number(settingOf(env, NUM_CTX) ?? 1);
  if (!Number.isSafeInteger(tokens) || tokens < 1) throw new ConfigError(`${NUM_CTX}: expected a number of tokens, as 32768`);
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
