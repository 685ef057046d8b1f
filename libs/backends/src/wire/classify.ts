import {
  AuthError,
  ContextOverflowError,
  RateLimitError,
  RequestError,
  ToolUnsupportedError,
  TransientError,
  type BackendError,
  type BackendFailure,
  type JsonValue,
} from '#model';
import { presentable, readErrorReport, type ErrorReport, type Secrets } from './error-text.js';
import { overflowIn } from './overflow.js';
import { retryAfterMs, type HeaderSource } from './retry-after.js';

/** A provider's refusal. Without `status` (an error inside a stream) the body's own code stands for it. */
export interface Refusal {
  readonly backend: string;
  readonly status?: number;
  readonly headers?: HeaderSource;
  readonly body: JsonValue;
  /** Taken out of the message. */
  readonly secret: Secrets;
}

type Verdict =
  'rate_limit' | 'quota' | 'auth' | 'context' | 'use_responses' | 'replay' | 'tools' | 'overloaded' | 'server' | 'not_found' | 'request';

const CLASSES: Readonly<Record<Verdict, new (message: string, failure: BackendFailure) => BackendError>> = {
  rate_limit: RateLimitError,
  quota: RateLimitError,
  auth: AuthError,
  context: ContextOverflowError,
  use_responses: RequestError,
  replay: RequestError,
  tools: ToolUnsupportedError,
  overloaded: TransientError,
  server: TransientError,
  not_found: RequestError,
  request: RequestError,
};

/** The status that an error code in words stands for; the first match counts. */
const STATUS_OF_CODE: readonly (readonly [RegExp, number])[] = [
  [/rate_limit|insufficient_quota|throttling|ServiceQuotaExceeded/i, 429],
  [/invalid_api_key|authentication_error/, 401],
  [/billing_error/, 402],
  [/permission_error|AccessDenied|ExpiredToken/i, 403],
  [/overloaded/, 529],
  [/server_error|api_error|internalServer|ServiceUnavailable/i, 500],
  [/not_found|ResourceNotFound/i, 404],
  [/invalid_request|invalid_prompt|BadRequest|validationException|(invalid|empty)_image|image_/i, 400],
];

const QUOTA =
  /insufficient_quota|ServiceQuotaExceeded|(DAILY|MONTHLY)_REQUEST_COUNT|exceeded your current quota|billing|credit balance|insufficient credits|spend(ing)? limit/i;
/** Google refuses a key with 400. */
const BAD_KEY = /API_KEY_INVALID|API key (not valid|expired)/i;
const MODERATION = /moderation|flagged|guardrail/i;
const USE_RESPONSES = /\/v1\/responses\b/;
/** Reasoning that comes back is signed or encrypted for one account and model. */
const NOT_REPLAYED =
  /invalid_encrypted_content|encrypted content .{0,300}could not be|invalid `?signature`? in `?thinking|thinking` blocks .{0,80}cannot be modified|thought.?signature is not valid|THINKING_SIGNATURE_INVALID/i;
const NO_TOOLS =
  /does not support tools|no endpoints found that support (tool use|the provided 'tool_choice')|(tool use|tools|function calling) (is|are) not (supported|enabled)/i;

/** The typed error for a refusal. */
export function classify(refusal: Refusal): BackendError {
  const report = readErrorReport(refusal.body, refusal.secret);
  const status = refusal.status ?? report.status ?? statusOfCode(report.code);
  const kind = verdictOf(status, report);
  const told = refusal.status === undefined ? '' : `HTTP ${refusal.status}: `;
  return new CLASSES[kind](`${refusal.backend}: ${told}${presentable(report.text, refusal.secret)}`, {
    backend: refusal.backend,
    kind,
    ...(status === undefined ? {} : { status }),
    ...detailsOf(kind, refusal, report),
  });
}

function statusOfCode(code: string): number | undefined {
  return STATUS_OF_CODE.find(([pattern]) => pattern.test(code))?.[1];
}

function verdictOf(status: number | undefined, { text, code, quota }: ErrorReport): Verdict {
  const all = `${code} ${text}`;
  if (status === 429 && quota !== undefined) return quota === 'day' ? 'quota' : 'rate_limit';
  return accountVerdict(status, all) ?? contentVerdict(status, all) ?? statusVerdict(status, all);
}

/** Who asks, and how much. */
function accountVerdict(status: number | undefined, all: string): Verdict | undefined {
  if (status === 429) return QUOTA.test(all) ? 'quota' : 'rate_limit';
  if (status === 402) return 'quota';
  if (status === 400 && BAD_KEY.test(all)) return 'auth';
  return status === 401 || (status === 403 && !MODERATION.test(all)) ? 'auth' : undefined;
}

/** What is asked. */
function contentVerdict(status: number | undefined, all: string): Verdict | undefined {
  if (status === 413 || overflowIn(all)) return 'context';
  if (USE_RESPONSES.test(all)) return 'use_responses';
  if (NOT_REPLAYED.test(all)) return 'replay';
  return NO_TOOLS.test(all) ? 'tools' : undefined;
}

function statusVerdict(status: number | undefined, all: string): Verdict {
  const isServerSide = status === undefined || status >= 500 || status === 408 || status === 409;
  if (isServerSide) return status === 529 || /overloaded/i.test(all) ? 'overloaded' : 'server';
  return status === 404 ? 'not_found' : 'request';
}

function detailsOf(kind: Verdict, { headers }: Refusal, report: ErrorReport): Partial<BackendFailure> {
  if (kind === 'context') {
    const limitTokens = report.windowTokens ?? overflowIn(report.text)?.limitTokens;
    return limitTokens === undefined ? {} : { limitTokens };
  }
  const wait =
    kind === 'rate_limit' || kind === 'overloaded' || kind === 'server'
      ? (report.retryAfterMs ?? retryAfterMs(headers, report.text))
      : undefined;
  return wait === undefined ? {} : { retryAfterMs: wait };
}
