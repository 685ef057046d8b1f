import type { JsonObject } from '#model';
import { OverflowRefusal, type ScriptRefusal } from '../../errors.js';

const STATUSES: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** An error with Google's name for its status, and details that say where it is. */
export function geminiError(refusal: ScriptRefusal): JsonObject {
  const { status: code } = refusal;
  const status = STATUSES[code] ?? (code >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
  const details = detailsOf(refusal);
  return { error: { code, message: messageOf(refusal), status, ...(details.length > 0 ? { details } : {}) } };
}

function messageOf(refusal: ScriptRefusal): string {
  if (!(refusal instanceof OverflowRefusal)) return refusal.message;
  const { tokens, contextLength } = refusal;
  return `The input token count (${tokens}) exceeds the maximum number of tokens allowed (${contextLength}).`;
}

function detailsOf({ code, path, message, retryAfterSeconds }: ScriptRefusal): readonly JsonObject[] {
  const domain = 'googleapis.com';
  if (code === 'API_KEY_INVALID') return [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain }];
  if (retryAfterSeconds !== undefined)
    return [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterSeconds}s` }];
  if (path === null) return [];
  return [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ field: path, description: message }] }];
}
