import type { Connection } from '../connection.js';

/** An OpenAI-compatible server. */
export type OpenAIOptions = Connection;
