import type { Backend } from '#model';
import { modelSettingOf, settingOf, variableOf, type BackendSettings } from './backend-definition.js';
import { ModelCatalogue } from './catalogue/model-catalogue.js';
import { definitions } from './definitions.js';
import { defaultDialect, defaultUrl, dialects, providerOf, type DialectName } from './dialects.js';

/** Who is asked. */
export interface Address {
  readonly name: string;
  /** Undefined = what the name speaks. */
  readonly dialect: DialectName | undefined;
  /** Undefined = the provider's own. */
  readonly url: string | undefined;
}

/**
 * A backend that config.json has no say in: one that the environment has settings for, though at another URL, or a server in a
 * dialect, with the key that the environment has for its name. Undefined for a name that says nothing. Does no I/O but for models.json.
 */
export function directBackend({ name, dialect, url }: Address, settings: BackendSettings): Backend | undefined {
  const models = new ModelCatalogue(settings.paths);
  const definition = dialect === undefined ? definitions.find((one) => one.name === name) : undefined;
  if (definition) return definition.make(url === undefined ? settings : withUrl(settings, name, url), models);
  const spoken = dialect ?? defaultDialect(name);
  if (spoken === undefined) return undefined;
  const { env, patience } = settings;
  const baseUrl = url ?? defaultUrl(name);
  const knowledge = models.knowledgeFor({ name, baseUrl, provider: providerOf(spoken) });
  const key = keyFor(name, spoken, settings);
  return dialects[spoken]({ name, baseUrl, key, defaultModel: modelSettingOf(env, name), patience, knowledge }, settings);
}

function withUrl(settings: BackendSettings, name: string, url: string): BackendSettings {
  return { ...settings, env: { ...settings.env, [variableOf(name, 'URL')]: url } };
}

/** The key of that name, else the one of who answers in the dialect: `openai-chat` has that of openai. */
function keyFor(name: string, dialect: DialectName, { env }: BackendSettings): string | undefined {
  const [provider = ''] = dialect.split('-');
  const variables = [name, provider].flatMap((owner) => [variableOf(owner, 'KEY'), variableOf(owner, 'TOKEN')]);
  return variables.map((variable) => settingOf(env, variable)).find((key) => key !== undefined);
}
