import type { JsonObject } from '#model';

/** The scripted backend refuses a request: status and body are those of a real provider. */
export class ScriptRefusal extends Error {
  constructor(
    message: string,
    readonly status = 400,
    readonly code = 'invalid_request_error',
  ) {
    super(message);
    this.name = 'ScriptRefusal';
  }

  get body(): JsonObject {
    return { error: { message: this.message, type: 'invalid_request_error', param: null, code: this.code } };
  }
}
