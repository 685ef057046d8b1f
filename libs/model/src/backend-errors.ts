/** Facts about a failed request, as far as the provider told them. `retryAfterMs` is its own wish. */
export interface BackendFailure {
  readonly backend: string;
  readonly status?: number;
  readonly retryAfterMs?: number;
  readonly limitTokens?: number;
  /** The provider has said that asking again is of no use. */
  readonly isFinal?: boolean;
  /** Nobody was asked, because it is too early for that: the request has used up none of its tries. */
  readonly unsent?: true;
  /** Finer than the class: `quota`, `stream_drop`, `idle`, ... */
  readonly kind?: string;
}

/**
 * A request to a model failed. The message never holds a key.
 * `retryable`: the same request may be sent again as it is.
 */
export abstract class BackendError extends Error {
  abstract readonly retryable: boolean;

  constructor(
    message: string,
    readonly failure: BackendFailure,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

/** 429. Retryable unless the quota is used up (`kind: 'quota'`) or the provider says otherwise. */
export class RateLimitError extends BackendError {
  get retryable(): boolean {
    return this.failure.kind !== 'quota' && this.failure.isFinal !== true;
  }
}

/** 5xx, 529, a network failure, a stream that ended early or fell silent. Retryable unless the provider says otherwise. */
export class TransientError extends BackendError {
  get retryable(): boolean {
    return this.failure.isFinal !== true;
  }
}

/** The request does not fit the model's context window. */
export class ContextOverflowError extends BackendError {
  readonly retryable = false;
}

/** The model takes no tools, or not at this endpoint. */
export class ToolUnsupportedError extends BackendError {
  readonly retryable = false;
}

/** 401 or 403: a missing, wrong or expired key. */
export class AuthError extends BackendError {
  readonly retryable = false;
}

/** Any other request that the provider refuses as it is. */
export class RequestError extends BackendError {
  readonly retryable = false;
}

/** Our own side gave the request up. */
export class AbortedError extends BackendError {
  readonly retryable = false;
}
