import { secretsIn } from '../secrets-in.js';
import { usedIdsIn } from '../used-ids.js';
import type { Dialect } from '../wire/dialect.js';
import { EventsDecoder } from './decode.js';
import { listedModels } from './model-list.js';
import type { KiroOptions } from './options.js';
import { conversationBody } from './request.js';

/** `generateAssistantResponse`. `secret` is what requests are sent with now. */
export function kiroDialect(options: KiroOptions, secret: () => string | undefined): Dialect {
  const { name: backend } = options;
  return {
    path: () => '/generateAssistantResponse',
    body: (request) => conversationBody(request, options),
    headers: () => ({ accept: 'application/vnd.amazon.eventstream, application/json' }),
    framing: async () => new (await import('../wire/event-stream-framing.js')).EventStreamFraming(backend),
    decoder: (request, { contextLength }) =>
      new EventsDecoder({
        backend,
        secret: secretsIn(options, secret()),
        usedIds: usedIdsIn(request),
        model: request.model,
        contextLength,
      }),
    models: async (ask) => await listedModels(ask, options),
  };
}
