import type { JsonObject, ModelCapabilities } from '#model';
import { modelList } from './model-list.js';

describe('the list of models of a server that speaks chat completions', () => {
  it.each<[string, JsonObject, ModelCapabilities | undefined]>([
    [
      'of a router',
      {
        top_provider: { max_completion_tokens: 9 },
        supported_parameters: ['tools', 'max_tokens', 'reasoning'],
        architecture: { input_modalities: ['text', 'image'] },
      },
      { maxOutputTokens: 9, tools: true, temperature: false, reasoning: true, images: true },
    ],
    [
      'with the longest answer beside the id',
      { max_completion_tokens: 7, top_provider: { max_completion_tokens: null } },
      { maxOutputTokens: 7 },
    ],
    ['for texts only', { architecture: { input_modalities: ['text'] } }, { images: false }],
    ['that tells nothing', { top_provider: { max_completion_tokens: 0 }, supported_parameters: [], architecture: null }, undefined],
    [
      'with odd values',
      { supported_parameters: 'tools', architecture: { input_modalities: 'text' }, max_completion_tokens: '7' },
      undefined,
    ],
  ])('tells what its models can: %s', (_name, row, capabilities) => {
    expect(modelList({ data: [{ id: 'm', ...row }] })).toEqual([{ id: 'm', ...(capabilities && { capabilities }) }]);
  });
});
