import { statSync } from 'node:fs';
import { join } from 'node:path';
import { loadJson, silentLog, type Log } from '#config';
import { SystemClock, type BackendCatalog } from '#model';
import { settingOf, type BackendSettings } from './backend-definition.js';
import { ModelCatalogue } from './catalogue/model-catalogue.js';
import { ConfiguredBackends } from './configured-backends.js';
import type { BackendEntry } from './configured/backend-entry.js';
import { checkEnvironment } from './configured/check-environment.js';
import { definitionOffer, entryOffer, type Surroundings } from './configured/entry-offer.js';
import { readBackends } from './configured/read-backends.js';
import { definitions } from './definitions.js';

const FILE = 'config.json';

/** The backends that the environment and config.json configure. Throws ConfigError for a file that cannot be used, models.json among them, and for settings that cannot be. */
export function createCatalog(settings: BackendSettings): BackendCatalog {
  const { log = silentLog, paths, env } = settings;
  const known = definitions.map(({ name }) => name);
  checkEnvironment(env, known);
  const file = join(paths.config, FILE);
  const unnamed = { ...settings, env: { ...env, OLLIE_BACKEND: undefined } }; // who is only named has no settings by that
  const hasSettings = (name: string): boolean => definitions.some((one) => one.name === name && one.isConfigured(unnamed));
  const entries = readBackends(loadJson(file), file, hasSettings);
  if (entries.some(holdsKey) && isReadByOthers(file)) log.warn(`${file} holds a key, and others can read it: chmod 600 ${file}`);
  const onSwitch = (backend: string, account: string, why: string): void => log.info(`${backend}: not by account ${account}: ${why}`);
  const models = new ModelCatalogue(paths);
  const offers = offersOf(entries, { settings, models, clock: new SystemClock(), onSwitch });
  const backends = new ConfiguredBackends(offers, { known, env, models });
  warnOfUnknown(settingOf(env, 'OLLIE_BACKEND'), backends.names(), log);
  return backends;
}

/** Agents that name no backend would fail one by one. */
function warnOfUnknown(wanted: string | undefined, names: readonly string[], log: Log): void {
  if (wanted === undefined || names.includes(wanted)) return;
  log.warn(`OLLIE_BACKEND=${wanted}: no such backend is configured; there are: ${names.join(' ')}`);
}

/** In the order of the definitions; what is in the file alone comes before the scripted one. */
function offersOf(entries: readonly BackendEntry[], surroundings: Surroundings): ConstructorParameters<typeof ConfiguredBackends>[0] {
  const known = definitions.flatMap((definition) => {
    const entry = entries.find(({ name }) => name === definition.name);
    if (entry) return [entryOffer(entry, definition, surroundings)];
    return definition.isConfigured(surroundings.settings) ? [definitionOffer(definition, surroundings)] : [];
  });
  const own = entries.filter(({ name }) => !definitions.some((definition) => definition.name === name));
  return [...known.slice(0, -1), ...own.map((entry) => entryOffer(entry, undefined, surroundings)), ...known.slice(-1)];
}

function holdsKey({ accounts = [] }: BackendEntry): boolean {
  return accounts.some(({ key, headers }) => (key && 'text' in key) || Object.keys(headers).length > 0);
}

function isReadByOthers(file: string): boolean {
  return (statSync(file).mode & 0o077) !== 0;
}
