import type { BackendError, JsonObject, JsonValue, StreamEvent, ToolCall } from '#model';
import { signedPart } from './gemini/signatures.js';

/** What a stream of events amounts to, in the words of the cases. */
export function eventFacts(events: readonly StreamEvent[]): JsonObject {
  const joined = (type: 'text' | 'reasoning'): string => events.map((event) => (event.type === type ? event.text : '')).join('');
  const usage = events.find((event) => event.type === 'usage')?.usage;
  const done = events.find((event) => event.type === 'done');
  const replay = events.flatMap((event) => (event.type === 'replay' ? [event.block.data] : []));
  return {
    text: joined('text'),
    reasoning: joined('reasoning'),
    tool_calls: events.flatMap((event) => (event.type === 'toolCall' ? [callFacts(event.call, replay)] : [])),
    replay,
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

function callFacts({ id, name, arguments: input, rawArguments, argumentsError }: ToolCall, replay: readonly JsonValue[]): JsonObject {
  if (argumentsError !== undefined) return { id, name, arguments_error: true, arguments_raw: rawArguments };
  const signed = replay.map(signedPart).find((part) => part !== undefined && 'callId' in part && part.callId === id);
  return { id, name, arguments: input, ...(signed && 'callId' in signed ? { signature: signed.thoughtSignature } : {}) };
}
