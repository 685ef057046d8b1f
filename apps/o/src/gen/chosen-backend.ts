import { createCatalog, dialectNames, directBackend, type BackendSettings } from '#backends';
import { ensureEnvironment, Paths } from '#config';
import { BACKEND_NAMES, type Backend } from '#model';
import { CommandError, UsageError, type World } from '#ninep-cli';
import type { GenLine } from './parse-gen-line.js';

/** What nearly every server speaks, when no backend is named. */
const USUAL = 'openai';

/** The backend of a command line: what is configured, unless a URL or a dialect is given. Throws UsageError for a name that says nothing, CommandError when nothing is configured. */
export function chosenBackend(line: GenLine, env: World['env']): Backend {
  const { backend, url } = line;
  const { dialect } = line.settings;
  const settings = settingsOf(line, env);
  const isConfigured = url === undefined && dialect === undefined;
  const found = isConfigured ? configured(backend, settings) : undefined;
  const name = backend ?? dialect ?? (isConfigured ? undefined : nameAtUrl(settings));
  const chosen = found ?? (name === undefined ? undefined : directBackend({ name, dialect, url }, settings));
  if (chosen) return chosen;
  throw name === undefined ? nothingConfigured() : unknown(name, isConfigured, settings);
}

/** Who names a backend names whom OLLIE_MODEL belongs to. */
function settingsOf({ backend, settings: { patience } }: GenLine, env: World['env']): BackendSettings {
  const own = ensureEnvironment({ ...env, ...(backend === undefined ? {} : { OLLIE_BACKEND: backend }) });
  return { env: own, paths: Paths.from(own), patience };
}

function configured(name: string | undefined, settings: BackendSettings): Backend | undefined {
  const catalog = createCatalog(settings);
  if (name === undefined) return catalog.preferred();
  return catalog.names().includes(name) ? catalog.get(name) : undefined;
}

/** No URL is that of the scripted one. */
function nameAtUrl({ env: { OLLIE_BACKEND: named = USUAL } }: BackendSettings): string {
  return named.trim() === 'scripted' ? USUAL : named.trim();
}

/** A URL goes with no entry of config.json, whose key is meant for another server. */
function unknown(name: string, isConfigured: boolean, settings: BackendSettings): UsageError {
  const configurable = isConfigured ? createCatalog(settings).names() : BACKEND_NAMES;
  const names = new Set([...configurable, ...dialectNames]);
  return new UsageError(`no such backend or dialect: ${name}; ${isConfigured ? '' : 'for a URL '}there are: ${[...names].join(' ')}`);
}

function nothingConfigured(): CommandError {
  return new CommandError(
    'no backend configured: set OLLIE_OPENAI_KEY or OLLIE_ANTHROPIC_KEY, write config.json (docs/backends.md), or say where one answers with --url',
  );
}
