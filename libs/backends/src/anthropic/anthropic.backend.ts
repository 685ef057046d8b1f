import { HttpBackend } from '../wire/http-backend.js';
import { messagesDialect } from './dialect.js';
import type { AnthropicOptions } from './options.js';
import { anthropicTransport } from './transport.js';

/** Anthropic and what is compatible with it. */
export class AnthropicBackend extends HttpBackend {
  constructor(options: AnthropicOptions) {
    super(options, messagesDialect(options), anthropicTransport(options));
  }
}
