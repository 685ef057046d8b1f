import { usedIdsIn } from '../../used-ids.js';
import type { Dialect } from '../../wire/dialect.js';
import { listModels } from '../list-models.js';
import type { OpenAIOptions } from '../options.js';
import { serverOf } from '../server.js';
import { ResponsesDecoder } from './decode.js';
import { responsesBody } from './request.js';

/** Responses. */
export function responsesDialect(options: OpenAIOptions): Dialect {
  const server = serverOf(options);
  const { name: backend, secret } = server;
  return {
    path: () => '/responses',
    body: (request, facts) => responsesBody(request, server, facts),
    decoder: (request) => new ResponsesDecoder({ backend, secret, model: request.model, usedIds: usedIdsIn(request) }),
    models: listModels,
  };
}
