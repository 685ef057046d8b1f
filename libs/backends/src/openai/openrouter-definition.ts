import { modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { OpenAIBackend } from './openai.backend.js';

export const OPENROUTER_URL = 'https://openrouter.ai/api/v1';

/** The openrouter backend: configured by OLLIE_OPENROUTER_KEY, OLLIE_OPENROUTER_URL or both. */
export const openrouterDefinition: BackendDefinition = {
  name: 'openrouter',
  isConfigured: ({ env }) => settingOf(env, 'OLLIE_OPENROUTER_KEY') !== undefined || settingOf(env, 'OLLIE_OPENROUTER_URL') !== undefined,
  make: ({ env, patience }, models) => {
    const baseUrl = settingOf(env, 'OLLIE_OPENROUTER_URL') ?? OPENROUTER_URL;
    return new OpenAIBackend({
      name: 'openrouter',
      baseUrl,
      key: settingOf(env, 'OLLIE_OPENROUTER_KEY'),
      quirks: { preset: 'openrouter' },
      defaultModel: modelSettingOf(env, 'openrouter'),
      patience,
      knowledge: models.knowledgeFor({ name: 'openrouter', baseUrl, provider: 'openrouter' }),
    });
  },
};
