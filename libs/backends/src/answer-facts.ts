import type { BackendError, JsonObject, StreamEvent } from '#model';

/** What a stream of events amounts to, in the words of the cases. */
export function eventFacts(events: readonly StreamEvent[]): JsonObject {
  const joined = (type: 'text' | 'reasoning'): string => events.map((event) => (event.type === type ? event.text : '')).join('');
  const usage = events.find((event) => event.type === 'usage')?.usage;
  const done = events.find((event) => event.type === 'done');
  return {
    text: joined('text'),
    reasoning: joined('reasoning'),
    tool_calls: events.flatMap((event) => (event.type === 'toolCall' ? [callFacts(event)] : [])),
    replay: events.flatMap((event) => (event.type === 'replay' ? [event.block.data] : [])),
    stop: done?.stop ?? null,
    ...(usage
      ? {
          usage: {
            input: usage.inputTokens,
            cached_input: usage.cachedInputTokens,
            cache_creation: usage.cacheCreationTokens,
            cache_creation_1h: usage.cacheCreation1hTokens ?? 0,
            output: usage.outputTokens,
            reasoning: usage.reasoningTokens ?? 0,
          },
        }
      : {}),
  };
}

export function failureFacts(error: BackendError): JsonObject {
  return {
    error_class: error.name === 'AbortedError' ? 'AbortError' : error.name,
    error_kind: error.failure.kind ?? null,
    retryable: error.retryable,
    retry_after_ms: error.failure.retryAfterMs ?? null,
    context_limit: error.failure.limitTokens ?? null,
    message: error.message,
  };
}

function callFacts({ call }: Extract<StreamEvent, { type: 'toolCall' }>): JsonObject {
  if (call.argumentsError === undefined) return { id: call.id, name: call.name, arguments: call.arguments };
  return { id: call.id, name: call.name, arguments_error: true, arguments_raw: call.rawArguments };
}
