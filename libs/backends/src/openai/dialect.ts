import { usedIdsIn } from '../used-ids.js';
import type { Dialect } from '../wire/dialect.js';
import { ChatDecoder } from './decode.js';
import { modelList } from './model-list.js';
import type { OpenAIOptions } from './options.js';
import { chatBody } from './request.js';

/** Chat completions. */
export function chatDialect({ name: backend, key: secret }: OpenAIOptions): Dialect {
  return {
    path: () => '/chat/completions',
    body: chatBody,
    decoder: (request) => new ChatDecoder({ backend, secret, usedIds: usedIdsIn(request) }),
    models: async (ask) => modelList(await ask({ path: '/models' })),
  };
}
