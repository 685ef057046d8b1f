import { AuthError } from '#model';
import { TokenKeeper } from '../wire/token-keeper.js';
import type { KiroOptions } from './options.js';
import { tokenIn } from './token-file.js';

/** What requests are sent with. A login that ends is read again, for Kiro renews it itself; a key stays what it is. */
export function kiroTokens({ name: backend, key, tokenFile }: KiroOptions): TokenKeeper {
  return new TokenKeeper(async () => {
    if (key !== undefined) return { text: key };
    if (tokenFile !== undefined) return await tokenIn(tokenFile, backend);
    throw new AuthError(`${backend}: no token: set OLLIE_KIRO_TOKEN or OLLIE_KIRO_TOKEN_FILE`, { backend, kind: 'auth' });
  });
}
