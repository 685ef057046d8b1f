import { HttpBackend } from '../wire/http-backend.js';
import { kiroDialect } from './dialect.js';
import type { KiroOptions } from './options.js';
import { kiroTokens } from './tokens.js';
import { kiroTransport } from './transport.js';

/** Kiro, which was CodeWhisperer. */
export class KiroBackend extends HttpBackend {
  constructor(options: KiroOptions) {
    const tokens = kiroTokens(options);
    super(
      options,
      kiroDialect(options, () => tokens?.last?.text),
      kiroTransport(options, tokens),
    );
  }
}
