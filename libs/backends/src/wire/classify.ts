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
import { statusOf, verdictOf, type Verdict } from './verdict.js';

/** A provider's refusal. Without `status` (an error inside a stream) the body's own code stands for it. */
export interface Refusal {
  readonly backend: string;
  readonly status?: number;
  readonly headers?: HeaderSource;
  readonly body: JsonValue;
  /** Taken out of the message. */
  readonly secret: Secrets;
}

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

/** What may be sent again after a while. */
const WAITS: readonly Verdict[] = ['rate_limit', 'overloaded', 'server'];

/** The typed error for a refusal. */
export function classify(refusal: Refusal): BackendError {
  const report = withNameIn(refusal, readErrorReport(refusal.body, refusal.secret));
  const status = statusOf(refusal.status, report);
  const kind = verdictOf(status, report, wishIn(refusal, report));
  const told = refusal.status === undefined ? '' : `HTTP ${refusal.status}: `;
  return new CLASSES[kind](`${refusal.backend}: ${told}${presentable(report.text, refusal.secret)}`, {
    backend: refusal.backend,
    kind,
    ...(status === undefined ? {} : { status }),
    ...detailsOf(kind, refusal, report),
  });
}

/** Amazon's REST protocols name an error in a header. */
function withNameIn({ headers }: Refusal, report: ErrorReport): ErrorReport {
  const name = headers?.get('x-amzn-errortype') ?? '';
  return name === '' ? report : { ...report, code: `${name} ${report.code}` };
}

/** How long to wait, in ms. */
function wishIn({ headers }: Refusal, { retryAfterMs: told, text }: ErrorReport): number | undefined {
  return told ?? retryAfterMs(headers, text);
}

function detailsOf(kind: Verdict, refusal: Refusal, report: ErrorReport): Partial<BackendFailure> {
  if (kind === 'context') {
    const limitTokens = report.windowTokens ?? overflowIn(report.text)?.limitTokens;
    return limitTokens === undefined ? {} : { limitTokens };
  }
  if (!WAITS.includes(kind)) return {};
  const wait = wishIn(refusal, report);
  const isFinal = refusal.headers?.get('x-should-retry') === 'false';
  return { ...(wait === undefined ? {} : { retryAfterMs: wait }), ...(isFinal ? { isFinal } : {}) };
}
