import type { Environment, Paths } from '#config';
import type { Backend } from '#model';
import type { ModelCatalogue } from './catalogue/model-catalogue.js';
import type { Patience } from './wire/exchange.js';

/** What backends are configured from. Scripts of the scripted backend lie in `scripts/` of both directories. */
export interface BackendSettings {
  readonly env: Environment;
  readonly paths: Pick<Paths, 'config' | 'packaged'>;
  /** Absent = what is usual. */
  readonly patience?: Partial<Patience> | undefined;
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

/** OLLIE_MODEL belongs to the backend that OLLIE_BACKEND names; without OLLIE_BACKEND to every backend but `scripted`. */
export function modelSettingOf(env: Environment, backend: string): string | undefined {
  const named = settingOf(env, 'OLLIE_BACKEND') ?? (backend === 'scripted' ? undefined : backend);
  return named === backend ? settingOf(env, 'OLLIE_MODEL') : undefined;
}
