import { createCatalog, dialects, variableOf, type BackendSettings, type DialectName } from '#backends';
import { ensureEnvironment, Paths } from '#config';
import { BACKEND_NAMES, type Backend } from '#model';
import { CommandError, UsageError, type World } from '#ninep-cli';
import { isDialect } from './gen-settings.js';
import type { GenLine } from './parse-gen-line.js';

/** What speaks for itself at any URL, when no backend is named. */
const USUAL = 'openai';

/** The backend of a command line. Throws UsageError when it names none, CommandError when nothing is configured. */
export function chosenBackend(line: GenLine, env: World['env']): Backend {
  const settings = settingsOf(line, env);
  const name = line.backend ?? (line.url === undefined ? undefined : (settings.env.OLLIE_BACKEND ?? USUAL));
  const dialect = line.settings.dialect ?? dialectNamed(name);
  if (dialect) return ofDialect(dialect, line, settings);
  return configured(name, name === undefined || line.url === undefined ? settings : withUrl(settings, name, line.url));
}

function settingsOf({ settings: { patience } }: GenLine, env: World['env']): BackendSettings {
  const own = ensureEnvironment(env);
  return { env: own, paths: Paths.from(own), patience };
}

/** A name that is a backend's and a dialect's means the backend: it knows more. */
function dialectNamed(name: string | undefined): DialectName | undefined {
  return name !== undefined && !BACKEND_NAMES.some((known) => known === name) && isDialect(name) ? name : undefined;
}

function ofDialect(dialect: DialectName, { backend, url }: GenLine, settings: BackendSettings): Backend {
  const { env, patience } = settings;
  const name = backend ?? dialect;
  const [provider = ''] = dialect.split('-');
  const key = [name, dialect, provider].flatMap((owner) => [variableOf(owner, 'KEY'), variableOf(owner, 'TOKEN')]).find((one) => env[one]);
  const connection = { name, baseUrl: url, key: key === undefined ? undefined : env[key], defaultModel: env.OLLIE_MODEL };
  return dialects[dialect]({ ...connection, patience }, settings);
}

function withUrl(settings: BackendSettings, name: string, url: string): BackendSettings {
  return { ...settings, env: { ...settings.env, OLLIE_BACKEND: name, [variableOf(name, 'URL')]: url } };
}

function configured(name: string | undefined, settings: BackendSettings): Backend {
  const catalog = createCatalog(settings);
  const names = catalog.names();
  if (name !== undefined && !names.includes(name)) throw new UsageError(`no such backend: ${name}; there are: ${names.join(' ')}`);
  const backend = name === undefined ? catalog.preferred() : catalog.get(name);
  if (backend) return backend;
  throw new CommandError('no backend configured: set OLLIE_OPENAI_KEY or OLLIE_ANTHROPIC_KEY, or say where one answers with --url');
}
