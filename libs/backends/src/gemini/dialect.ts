import type { Connection } from '../connection.js';
import { secretsIn } from '../secrets-in.js';
import { usedIdsIn } from '../used-ids.js';
import type { Dialect } from '../wire/dialect.js';
import { GeminiDecoder } from './decode.js';
import { listModels } from './model-list.js';
import { generateBody } from './request.js';

/** Generated contents, as server-sent events. */
export function geminiDialect(options: Connection): Dialect {
  const { name: backend, key } = options;
  const secret = secretsIn(options, key);
  return {
    path: ({ model }) => `/v1beta/${resource(model)}:streamGenerateContent?alt=sse`,
    body: (request, facts) => generateBody(request, backend, facts),
    decoder: (request) => new GeminiDecoder({ backend, secret, model: request.model, usedIds: usedIdsIn(request) }),
    models: listModels,
  };
}

/** A model may be named with its collection, like `tunedModels/mine`. */
function resource(model: string): string {
  const named = /^(models|tunedModels)\/(.+)$/.exec(model);
  return `${named?.[1] ?? 'models'}/${encodeURIComponent(named?.[2] ?? model)}`;
}
