import { BackendError, userText, type Backend, type ModelRequest, type StreamEvent } from '#model';

const never = new AbortController().signal;

/** What a backend answers to a request of one word, as far as `more` does not say otherwise. */
export async function collect(backend: Backend, more: Partial<ModelRequest> = {}, signal = never): Promise<readonly StreamEvent[]> {
  const request: ModelRequest = { model: 'm', system: '', messages: [userText('go')], tools: [], params: {}, ...more };
  const events: StreamEvent[] = [];
  for await (const event of backend.stream(request, signal)) events.push(event);
  return events;
}

/** What ends it; throws when it answers. */
export async function failureOf(backend: Backend, more: Partial<ModelRequest> = {}, signal = never): Promise<BackendError> {
  const error = await collect(backend, more, signal).catch((failure: unknown) => failure);
  if (!(error instanceof BackendError)) throw new Error(`expected a failure, got ${String(error)}`);
  return error;
}
