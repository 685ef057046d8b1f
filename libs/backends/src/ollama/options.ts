import type { Connection } from '../connection.js';

/** Without a `baseUrl` it is the server of this machine. A key is for a server that asks for one. */
export type OllamaOptions = Connection;

/** What a model is run with that nothing says more of, in tokens. */
export const DEFAULT_NUM_CTX = 16_384;
