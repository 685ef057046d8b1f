import { HttpBackend } from '../wire/http-backend.js';
import { openaiDialect } from './dialect.js';
import type { OpenAIOptions } from './options.js';
import { openaiTransport } from './transport.js';

/** OpenAI and what is compatible with it. */
export class OpenAIBackend extends HttpBackend {
  constructor(options: OpenAIOptions) {
    super(options, openaiDialect(options), openaiTransport(options));
  }
}
