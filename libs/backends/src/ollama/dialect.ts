import type { Ask, Dialect } from '../wire/dialect.js';
import { secretsIn } from '../secrets-in.js';
import { usedIdsIn } from '../used-ids.js';
import { LineFraming } from '../wire/line-framing.js';
import { ChatLinesDecoder } from './decode.js';
import { factsOf, listedModels, loadedWindows, type Windows } from './models.js';
import { DEFAULT_NUM_CTX, type OllamaOptions } from './options.js';
import { chatBody } from './request.js';

/** `/api/chat`. A model's `contextLength` is the window that it is run with, not the one that it was trained for. */
export function ollamaDialect(options: OllamaOptions): Dialect {
  const { name: backend, key, numCtx } = options;
  const secret = secretsIn(options, key);
  const windowOf = (contextLength = numCtx ?? DEFAULT_NUM_CTX): number => contextLength;
  const windows = async (ask: Ask): Promise<Windows> => ({ numCtx, loaded: numCtx === undefined ? await loadedWindows(ask) : new Map() });
  return {
    path: () => '/api/chat',
    body: (request, { contextLength, capabilities }) => chatBody(request, { backend, numCtx: windowOf(contextLength), capabilities }),
    framing: () => new LineFraming(backend),
    decoder: (request, { contextLength }) =>
      new ChatLinesDecoder({ backend, secret, usedIds: usedIdsIn(request), request, numCtx: windowOf(contextLength) }),
    facts: async (model, ask) => await factsOf(model, ask, await windows(ask)),
    models: async (ask) => await listedModels(ask, await windows(ask)),
  };
}
