import type { ErrorReport } from './error-text.js';
import { overflowIn } from './overflow.js';
import { retryAfterMs } from './retry-after.js';

/** What the matter is with a request that was refused. */
export type Verdict =
  'rate_limit' | 'quota' | 'auth' | 'context' | 'use_responses' | 'replay' | 'tools' | 'overloaded' | 'server' | 'not_found' | 'request';

/** The status that an error code in words stands for; the first match counts. */
const STATUS_OF_CODE: readonly (readonly [RegExp, number])[] = [
  [/rate_limit|insufficient_quota|throttling|ServiceQuotaExceeded|RESOURCE_EXHAUSTED/i, 429],
  [/invalid_api_key|authentication_error|UNAUTHENTICATED/, 401],
  [/billing_error/, 402],
  [/permission_error|AccessDenied|ExpiredToken|PERMISSION_DENIED/i, 403],
  [/overloaded/, 529],
  [/server_error|api_error|timeout_error|internalServer|ServiceUnavailable/i, 500],
  [/not_found|ResourceNotFound/i, 404],
  [/invalid_request|invalid_prompt|BadRequest|validationException|(invalid|empty)_image|image_|INVALID_ARGUMENT|FAILED_PRECONDITION/i, 400],
];
/** Amazon's JSON protocols refuse all in one status: only the name says what the matter is. */
const NAMED_BY_AMAZON = /[a-z]Exception\b/;

const QUOTA =
  /insufficient_quota|ServiceQuotaExceeded|(DAILY|MONTHLY)_REQUEST_COUNT|exceeded your current quota|billing|credit balance|insufficient credits|spend(ing)? limit|API usage limits/i;
/** Anthropic says with 400 that there is no money left. */
const NO_MONEY = /credit balance is too low|reached your specified \w+ usage limits/i;
/** Google refuses a key with 400. */
const BAD_KEY = /API_KEY_INVALID|API key (not valid|expired)/i;
const MODERATION = /moderation|flagged|guardrail/i;
const USE_RESPONSES = /\/v1\/responses\b/;
/** Reasoning that comes back is signed or encrypted for one account and model. */
const NOT_REPLAYED =
  /invalid_encrypted_content|encrypted content .{0,300}could not be|invalid `?signature`? in `?thinking|thinking` blocks .{0,80}cannot be modified|thought.?signature is not valid|THINKING_SIGNATURE_INVALID/i;
const NO_TOOLS =
  /does not support tools|no endpoints found that support (tool use|the provided 'tool_choice')|(tool use|tools|function calling) (is|are) not (supported|enabled)/i;

/** Undefined when nobody has said one. */
export function statusOf(status: number | undefined, { status: told, code }: ErrorReport): number | undefined {
  if (status === 400 && NAMED_BY_AMAZON.test(code)) return statusOfCode(code) ?? status;
  return status ?? told ?? statusOfCode(code);
}

function statusOfCode(code: string): number | undefined {
  return STATUS_OF_CODE.find(([pattern]) => pattern.test(code))?.[1];
}

/** `wishMs`: how long the provider wants to be waited for. */
export function verdictOf(status: number | undefined, { text, code, quota }: ErrorReport, wishMs: number | undefined): Verdict {
  const all = `${code} ${text}`;
  if (status === 429 && quota !== undefined) return quota === 'day' ? 'quota' : 'rate_limit';
  return limitVerdict(status, all, wishMs) ?? accountVerdict(status, all) ?? contentVerdict(status, all) ?? statusVerdict(status, all);
}

/** How much is asked. Who says with 402 how long to wait means what is under way, not what is paid. */
function limitVerdict(status: number | undefined, all: string, wishMs: number | undefined): Verdict | undefined {
  if (status === 402) return wishMs === undefined || wishMs === 0 ? 'quota' : 'rate_limit';
  if (status === 400 && NO_MONEY.test(all)) return 'quota';
  if (status !== 429) return undefined;
  return QUOTA.test(all) && !isShort(all) ? 'quota' : 'rate_limit';
}

/** Google speaks of a plan and its billing also where a minute is used up; then its text says when there is more. */
function isShort(all: string): boolean {
  return !/insufficient_quota/.test(all) && (retryAfterMs(undefined, all) ?? 0) > 0;
}

/** Who asks. */
function accountVerdict(status: number | undefined, all: string): Verdict | undefined {
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
