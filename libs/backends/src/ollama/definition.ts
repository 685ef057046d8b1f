import { modelSettingOf, settingOf, type BackendDefinition } from '../backend-definition.js';
import { OllamaBackend } from './ollama.backend.js';

/** The ollama backend: an address configures it, or its name does, for the server of this machine. */
export const ollamaDefinition: BackendDefinition = {
  name: 'ollama',
  isConfigured: ({ env }) => settingOf(env, 'OLLIE_OLLAMA_URL') !== undefined || settingOf(env, 'OLLIE_BACKEND') === 'ollama',
  make: ({ env, patience }, models) => {
    const baseUrl = settingOf(env, 'OLLIE_OLLAMA_URL');
    return new OllamaBackend({
      name: 'ollama',
      baseUrl,
      key: settingOf(env, 'OLLIE_OLLAMA_KEY'),
      numCtx: tokensIn(settingOf(env, 'OLLIE_OLLAMA_NUM_CTX')),
      defaultModel: modelSettingOf(env, 'ollama'),
      patience,
      knowledge: models.knowledgeFor({ name: 'ollama', baseUrl, provider: 'ollama' }),
    });
  },
};

/** What is no number of tokens counts as not set. */
function tokensIn(text: string | undefined): number | undefined {
  const tokens = Number(text ?? Number.NaN);
  return Number.isSafeInteger(tokens) && tokens > 0 ? tokens : undefined;
}
