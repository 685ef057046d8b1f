import type { Environment } from '#config';
import { headersSettingOf, modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { CopilotBackend } from './copilot.backend.js';
import type { Connection } from '../connection.js';

/** The copilot backend: configured by OLLIE_COPILOT_TOKEN, OLLIE_COPILOT_URL or both. */
export const copilotDefinition: BackendDefinition = {
  name: 'copilot',
  isConfigured: ({ env }) => settingsIn(env) !== undefined,
  make: ({ env, patience }, models) => {
    const settings = settingsIn(env) ?? { baseUrl: undefined, key: undefined };
    const knowledge = models.knowledgeFor({ name: 'copilot', baseUrl: settings.baseUrl, provider: 'copilot' });
    return new CopilotBackend({ name: 'copilot', ...settings, defaultModel: modelSettingOf(env, 'copilot'), patience, knowledge });
  },
};

/** Undefined when there are none. */
function settingsIn(env: Environment): Pick<Connection, 'baseUrl' | 'key' | 'headers' | 'exchange'> | undefined {
  const baseUrl = settingOf(env, 'OLLIE_COPILOT_URL');
  const key = settingOf(env, 'OLLIE_COPILOT_TOKEN');
  const url = settingOf(env, 'OLLIE_COPILOT_EXCHANGE_URL');
  const headers = headersSettingOf(env, 'OLLIE_COPILOT_HEADERS');
  if (baseUrl === undefined && key === undefined) return undefined;
  return { baseUrl, key, ...(headers && { headers }), ...(url !== undefined && { exchange: { url } }) };
}
