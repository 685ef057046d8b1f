import { modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { AnthropicBackend } from './anthropic.backend.js';

const SETTINGS = ['OLLIE_ANTHROPIC_URL', 'OLLIE_ANTHROPIC_KEY', 'OLLIE_ANTHROPIC_TOKEN'] as const;

/** The anthropic backend: any of its settings configures it; a server of one's own may need neither key nor token. */
export const anthropicDefinition: BackendDefinition = {
  name: 'anthropic',
  isConfigured: ({ env }) => SETTINGS.some((name) => settingOf(env, name) !== undefined),
  make: ({ env, patience }, models) => {
    const baseUrl = settingOf(env, 'OLLIE_ANTHROPIC_URL');
    return new AnthropicBackend({
      name: 'anthropic',
      baseUrl,
      key: settingOf(env, 'OLLIE_ANTHROPIC_KEY'),
      token: settingOf(env, 'OLLIE_ANTHROPIC_TOKEN'),
      defaultModel: modelSettingOf(env, 'anthropic'),
      patience,
      knowledge: models.knowledgeFor({ name: 'anthropic', baseUrl, provider: 'anthropic' }),
    });
  },
};
