import { modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { OpenAIBackend } from './openai.backend.js';

/** The openai backend: configured by OLLIE_OPENAI_URL, OLLIE_OPENAI_KEY or both; a local server needs no key. */
export const openaiDefinition: BackendDefinition = {
  name: 'openai',
  isConfigured: ({ env }) => settingOf(env, 'OLLIE_OPENAI_URL') !== undefined || settingOf(env, 'OLLIE_OPENAI_KEY') !== undefined,
  make: ({ env, patience }, models) => {
    const baseUrl = settingOf(env, 'OLLIE_OPENAI_URL');
    return new OpenAIBackend({
      name: 'openai',
      baseUrl,
      key: settingOf(env, 'OLLIE_OPENAI_KEY'),
      defaultModel: modelSettingOf(env, 'openai'),
      patience,
      knowledge: models.knowledgeFor({ name: 'openai', baseUrl, provider: 'openai' }),
    });
  },
};
