import { modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { GeminiBackend } from './gemini.backend.js';

/** The gemini backend: configured by OLLIE_GEMINI_KEY, OLLIE_GEMINI_URL or both. */
export const geminiDefinition: BackendDefinition = {
  name: 'gemini',
  isConfigured: ({ env }) => settingOf(env, 'OLLIE_GEMINI_KEY') !== undefined || settingOf(env, 'OLLIE_GEMINI_URL') !== undefined,
  make: ({ env, patience }, models) => {
    const baseUrl = settingOf(env, 'OLLIE_GEMINI_URL');
    return new GeminiBackend({
      name: 'gemini',
      baseUrl,
      key: settingOf(env, 'OLLIE_GEMINI_KEY'),
      defaultModel: modelSettingOf(env, 'gemini'),
      patience,
      knowledge: models.knowledgeFor({ name: 'gemini', baseUrl, provider: 'google' }),
    });
  },
};
