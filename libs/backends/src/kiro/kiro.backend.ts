import { HttpBackend } from '../wire/http-backend.js';
import { kiroDialect } from './dialect.js';
import { Login } from './login.js';
import type { KiroOptions } from './options.js';
import { kiroTransport } from './transport.js';

/** Kiro, which was CodeWhisperer. */
export class KiroBackend extends HttpBackend {
  constructor(options: KiroOptions) {
    const login = new Login(options);
    super(
      options,
      kiroDialect(options, () => login.tokens?.last?.text),
      kiroTransport(options, login),
    );
  }
}
