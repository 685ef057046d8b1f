import { usedIdsIn } from '../used-ids.js';
import type { Dialect } from '../wire/dialect.js';
import { perModelDialect } from '../wire/per-model-dialect.js';
import { ChatDecoder } from './decode.js';
import { familyOf } from './families.js';
import { listModels } from './list-models.js';
import type { OpenAIOptions } from './options.js';
import { chatBody } from './request.js';
import { responsesDialect } from './responses/dialect.js';
import { presetOf, serverOf } from './server.js';

/** The one that the options name. */
export function openaiDialect(options: OpenAIOptions): Dialect {
  switch (options.dialect ?? 'auto') {
    case 'chat':
      return chatDialect(options);
    case 'responses':
      return responsesDialect(options);
    case 'auto':
      return presetOf(options) === 'openai' ? ownDialect(options) : turningDialect(options);
  }
}

/** Chat completions. */
export function chatDialect(options: OpenAIOptions): Dialect {
  const server = serverOf(options);
  const { name: backend, secret, quirks } = server;
  return {
    path: () => '/chat/completions',
    body: (request, facts) => chatBody(request, server, facts),
    decoder: (request) => new ChatDecoder({ backend, secret, model: request.model, replay: quirks.replay, usedIds: usedIdsIn(request) }),
    models: listModels,
  };
}

/** OpenAI's own: its chat completions refuse tools to models that reason. */
function ownDialect(options: OpenAIOptions): Dialect {
  const [chat, responses] = [chatDialect(options), responsesDialect(options)];
  const dialect = perModelDialect((model) => (familyOf(model).reasons === false ? chat : responses), chat);
  return { ...dialect, instead: responses };
}

/** OpenAI may stand behind a server of another name. */
function turningDialect(options: OpenAIOptions): Dialect {
  return { ...chatDialect(options), instead: responsesDialect(options) };
}
