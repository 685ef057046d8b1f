import { secretsIn } from '../secrets-in.js';
import { usedIdsIn } from '../used-ids.js';
import type { Dialect } from '../wire/dialect.js';
import { MessagesDecoder } from './decode.js';
import { modelList } from './model-list.js';
import { secretOf, type AnthropicOptions } from './options.js';
import { messagesBody } from './request.js';

/** Messages, in the version that the transport names. */
export function messagesDialect(options: AnthropicOptions): Dialect {
  const backend = options.name;
  const secret = secretsIn(options, secretOf(options));
  return {
    path: () => '/v1/messages',
    body: (request, facts) => messagesBody(request, backend, facts),
    decoder: (request) => new MessagesDecoder({ backend, secret, model: request.model, usedIds: usedIdsIn(request) }),
    models: async (ask) => modelList(await ask({ path: '/v1/models?limit=1000' })),
  };
}
