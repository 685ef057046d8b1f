import { createHash } from 'node:crypto';
import type { JsonObject, ModelInfo } from '#model';

const DETAILS = {
  parent_model: '',
  format: 'gguf',
  family: 'scripted',
  families: ['scripted'],
  parameter_size: '0B',
  quantization_level: 'F32',
};
const LONG_AGO = '1970-01-01T00:00:00Z';

/** A model as lists have it. */
export function modelRow({ id }: ModelInfo): JsonObject {
  const digest = createHash('sha256').update(id).digest('hex');
  return { name: id, model: id, modified_at: LONG_AGO, size: 0, digest, details: DETAILS };
}

/** What `/api/show` tells. */
export function shownModel({ contextLength }: ModelInfo): JsonObject {
  return {
    modelfile: '',
    ...(contextLength === undefined ? {} : { parameters: `num_ctx                        ${contextLength}` }),
    template: '{{ .Prompt }}',
    details: DETAILS,
    model_info: {
      'general.architecture': 'scripted',
      ...(contextLength === undefined ? {} : { 'scripted.context_length': contextLength }),
    },
    capabilities: ['completion', 'tools', 'thinking', 'vision'],
    modified_at: LONG_AGO,
  };
}
