import type { Connection } from '../connection.js';

/** An OpenAI-compatible server. */
export interface OpenAIOptions extends Connection {
  /** `auto`, which is the default: responses for what OpenAI itself serves of models that reason, chat completions for all else. */
  readonly dialect?: 'auto' | 'chat' | 'responses';
}
