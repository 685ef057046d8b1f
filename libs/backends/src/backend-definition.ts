import { ConfigError, type Environment, type Log, type Paths } from '#config';
import { isJsonObject, parseJson, type Backend, type JsonValue } from '#model';
import type { ModelCatalogue } from './catalogue/model-catalogue.js';
import type { Patience } from './wire/exchange.js';

/** What backends are configured from; config.json lies in `paths.config`. Scripts of the scripted backend lie in `scripts/` of both directories. */
export interface BackendSettings {
  readonly env: Environment;
  readonly paths: Pick<Paths, 'config' | 'packaged'>;
  /** Absent = what is usual. */
  readonly patience?: Partial<Patience> | undefined;
  /** Default: none. */
  readonly log?: Log;
}

/** One kind of backend. `make` is called at most once per catalog and only when `isConfigured` said yes; it does no I/O. */
export interface BackendDefinition {
  readonly name: string;
  isConfigured(settings: BackendSettings): boolean;
  make(settings: BackendSettings, models: ModelCatalogue): Backend;
}

/** What the environment calls a setting of a backend: the URL of `openai` is OLLIE_OPENAI_URL. */
export function variableOf(backend: string, what: 'KEY' | 'TOKEN' | 'URL'): string {
  return `OLLIE_${backend.toUpperCase().replaceAll('-', '_')}_${what}`;
}

/** The value of a variable without the white space around it; undefined when it is unset or empty. */
export function settingOf(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}

/** Headers of every request, as a JSON object of texts; undefined when they are unset. Throws ConfigError for anything else. */
export function headersSettingOf(env: Environment, name: string): Readonly<Record<string, string>> | undefined {
  const text = settingOf(env, name);
  if (text === undefined) return undefined;
  const value = jsonIn(text);
  const headers = isJsonObject(value) ? Object.entries(value) : [];
  if (headers.length === 0 || !headers.every(isText)) throw new ConfigError(`${name}: expected {"Name": "value", ...}`);
  return Object.fromEntries(headers.filter(isText));
}

function isText(entry: readonly [string, JsonValue]): entry is [string, string] {
  return typeof entry[1] === 'string';
}

function jsonIn(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** OLLIE_MODEL belongs to the backend that OLLIE_BACKEND names; without OLLIE_BACKEND to every backend but `scripted`. */
export function modelSettingOf(env: Environment, backend: string): string | undefined {
  const named = settingOf(env, 'OLLIE_BACKEND') ?? (backend === 'scripted' ? undefined : backend);
  return named === backend ? settingOf(env, 'OLLIE_MODEL') : undefined;
}
