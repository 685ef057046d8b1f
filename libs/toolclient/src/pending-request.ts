import { type ApprovalDecision, type ApprovalRequest, isJsonObject, type JsonObject, parseJson } from '#model';
import { MalformedAnswerError } from './errors.js';

/** A request as `bypass/pending` tells it. */
export interface PendingRequest {
  /** toolsrv's own id. */
  readonly id: string;
  readonly agent: string;
  /** The caller's id of the call. */
  readonly call: string;
  readonly request: ApprovalRequest;
}

/** Throws MalformedAnswerError, or SyntaxError for what is no JSON. */
export function parsePendingRequest(text: string, session: string): PendingRequest {
  const line = parseJson(text);
  if (!isJsonObject(line)) throw new MalformedAnswerError('bypass/pending: no object');
  const { id, kind, agent, tool, command, cwd, env, ts: _ts, expires, session: _session, ...more } = line;
  const where = { session, agent: textOf(agent, 'agent'), host: 'local' };
  const what = { tool: textOf(tool, 'tool'), command: textOf(command, 'command'), cwd: textOf(cwd, 'cwd') };
  if (typeof expires !== 'number') throw new MalformedAnswerError('bypass/pending: expires');
  const request = { kind: kindOf(kind), ...where, ...what, env: objectOf(env), expires, more };
  return { id: textOf(id, 'id'), agent: where.agent, call: textOf(line.call ?? '', 'call'), request };
}

/** What `bypass/resolve` takes. */
export function answerText(id: string, decision: Exclude<ApprovalDecision, { decision: 'withdrawn' }>): string {
  switch (decision.decision) {
    case 'approved':
      return JSON.stringify({ id, approved: true, scope: decision.scope });
    case 'rejected':
      return JSON.stringify({ id, error: decision.text });
    case 'timed out':
    case 'no observer':
      return JSON.stringify({ id, error: decision.decision });
  }
}

function kindOf(value: JsonObject[string] | undefined): 'bypass' | 'permission' {
  if (value === 'bypass' || value === 'permission') return value;
  throw new MalformedAnswerError('bypass/pending: kind');
}

function textOf(value: JsonObject[string] | undefined, key: string): string {
  if (typeof value !== 'string') throw new MalformedAnswerError(`bypass/pending: ${key}`);
  return value;
}

function objectOf(value: JsonObject[string] | undefined): JsonObject {
  if (!isJsonObject(value)) throw new MalformedAnswerError('bypass/pending: env');
  return value;
}
