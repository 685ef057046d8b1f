import type { Patience } from '../wire/exchange.js';
import { HttpBackend } from '../wire/http-backend.js';
import { ollamaDialect } from './dialect.js';
import type { OllamaOptions } from './options.js';
import { ollamaTransport } from './transport.js';

/** While it loads a model and reads a long prompt it says nothing. */
const PATIENCE: Patience = { idleMs: 600_000, progressMs: 600_000 };

/** Ollama, by its own API. */
export class OllamaBackend extends HttpBackend {
  constructor(options: OllamaOptions) {
    super({ ...options, patience: { ...PATIENCE, ...options.patience } }, ollamaDialect(options), ollamaTransport(options));
  }
}
