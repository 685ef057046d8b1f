import type { Connection } from '../connection.js';
import { HttpBackend } from '../wire/http-backend.js';
import { geminiDialect } from './dialect.js';
import { geminiTransport } from './transport.js';

/** Google's Gemini, and what serves it. A `/v1beta` at the end of the address is none of it. */
export class GeminiBackend extends HttpBackend {
  constructor(connection: Connection) {
    super(connection, geminiDialect(connection), geminiTransport(connection));
  }
}
