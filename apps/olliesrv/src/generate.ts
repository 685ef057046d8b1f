import { NotConfiguredError } from '#agent';
import {
  type Backend,
  type BackendCatalog,
  BackendError,
  type ModelRequest,
  PartnerError,
  type StreamEvent,
  type Usage,
  userText,
} from '#model';
import { type GenerateRequest, parseGenerateRequest } from './parse-generate-request.js';

/** On whose account it goes. */
export interface Payer {
  charge(usage: Usage | undefined): void;
}

/**
 * Streams the text that a model answers to `text` (contract 2.1), without tools, history or agent. Throws NotFoundError or
 * NotConfiguredError when there is no such backend or model, and IllegalInputError; a failure of the backend is a PartnerError.
 * `payer` hears what it has used, however it ends.
 */
export function generate(backends: BackendCatalog, text: string, signal: AbortSignal, payer?: Payer): AsyncIterable<string> {
  const request = parseGenerateRequest(text);
  const backend = request.backend === undefined ? backends.preferred() : backends.get(request.backend);
  if (!backend) throw new NotConfiguredError('backend');
  return paidBy(payer, backend.stream(modelRequest(request, backend), signal), backend.name);
}

function modelRequest(request: GenerateRequest, backend: Backend): ModelRequest {
  const model = request.model ?? backend.defaultModel;
  if (model === undefined) throw new NotConfiguredError({ modelOf: backend.name });
  const { system, params } = request;
  return { model, system, params, messages: [userText(request.prompt)], tools: [] };
}

async function* paidBy(payer: Payer | undefined, events: AsyncIterable<StreamEvent>, backend: string): AsyncGenerator<string> {
  let usage: Usage | undefined;
  try {
    for await (const event of events) {
      if (event.type === 'usage') usage = event.usage;
      if (event.type === 'text') yield event.text;
    }
  } catch (error) {
    if (error instanceof BackendError) throw PartnerError.ofBackend(backend, error);
    throw error;
  } finally {
    payer?.charge(usage);
  }
}
