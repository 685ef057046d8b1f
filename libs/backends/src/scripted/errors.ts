import type { JsonObject } from '#model';

/** The scripted backend refuses a request: status and body are those of a real provider. */
export class ScriptRefusal extends Error {
  constructor(
    message: string,
    readonly status = 400,
    readonly code = 'invalid_request_error',
    /** Where in the request it is, as the provider writes paths. */
    readonly path: string | null = null,
    /** For providers that say it in the body. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
    this.name = 'ScriptRefusal';
  }

  get body(): JsonObject {
    return { error: { message: this.message, type: 'invalid_request_error', param: this.path, code: this.code } };
  }
}

/** More input than the script's context holds. Each provider has words of its own for it. */
export class OverflowRefusal extends ScriptRefusal {
  constructor(
    readonly tokens: number,
    readonly contextLength: number,
  ) {
    const text = `This model's maximum context length is ${contextLength} tokens. However, your messages resulted in ${tokens} tokens.`;
    super(text, 400, 'context_length_exceeded', 'messages');
    this.name = 'OverflowRefusal';
  }
}
