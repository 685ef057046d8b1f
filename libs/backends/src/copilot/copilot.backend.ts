import { HttpBackend } from '../wire/http-backend.js';
import { copilotDialect } from './dialect.js';
import type { Connection } from '../connection.js';
import { copilotTokens, copilotTransport } from './transport.js';

/** GitHub Copilot. Says of nobody else's program that it were it: what the other side wants to hear beside the token is set by whoever has the account. */
export class CopilotBackend extends HttpBackend {
  constructor(options: Connection) {
    const tokens = copilotTokens(options);
    super(options, copilotDialect(options, tokens), copilotTransport(options, tokens));
  }
}
