import { modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { GeminiBackend } from './gemini.backend.js';

/** The gemini backend: configured by OLLIE_GEMINI_KEY, OLLIE_GEMINI_URL or both. */
export const geminiDefinition: BackendDefinition = {
  name: 'gemini',
  isConfigured: ({ env }) => settingOf(env, 'OLLIE_GEMINI_KEY') !== undefined || settingOf(env, 'OLLIE_GEMINI_URL') !== undefined,
  make: ({ env }) =>
    new GeminiBackend({
      name: 'gemini',
      baseUrl: settingOf(env, 'OLLIE_GEMINI_URL'),
      key: settingOf(env, 'OLLIE_GEMINI_KEY'),
      defaultModel: modelSettingOf(env, 'gemini'),
    }),
};
