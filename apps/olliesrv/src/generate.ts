import { NotConfiguredError } from '#agent';
import { type Backend, type BackendCatalog, BackendError, type ModelRequest, PartnerError, userText } from '#model';
import { type GenerateRequest, parseGenerateRequest } from './parse-generate-request.js';

/**
 * Streams the text that a model answers to `text` (contract 2.1), without tools, history or agent. Throws NotFoundError or
 * NotConfiguredError when there is no such backend or model, and IllegalInputError; a failure of the backend is a PartnerError.
 */
export function generate(backends: BackendCatalog, text: string, signal: AbortSignal): AsyncIterable<string> {
  const request = parseGenerateRequest(text);
  const backend = request.backend === undefined ? backends.preferred() : backends.get(request.backend);
  if (!backend) throw new NotConfiguredError('backend');
  return answerText(backend, modelRequest(request, backend), signal);
}

function modelRequest(request: GenerateRequest, backend: Backend): ModelRequest {
  const model = request.model ?? backend.defaultModel;
  if (model === undefined) throw new NotConfiguredError({ modelOf: backend.name });
  const { system, params } = request;
  return { model, system, params, messages: [userText(request.prompt)], tools: [] };
}

async function* answerText(backend: Backend, request: ModelRequest, signal: AbortSignal): AsyncGenerator<string> {
  try {
    for await (const event of backend.stream(request, signal)) if (event.type === 'text') yield event.text;
  } catch (error) {
    if (error instanceof BackendError) throw new PartnerError(`${backend.name}: ${error.message}`, { cause: error });
    throw error;
  }
}
