import { TokenKeeper } from '../wire/token-keeper.js';
import type { KiroOptions } from './options.js';
import { tokenIn } from './token-file.js';

/**
 * What requests are sent with; undefined for a server that asks for nothing. A login that ends is read again, for Kiro renews
 * it itself; a key stays what it is.
 */
export function kiroTokens({ name, key, tokenFile }: KiroOptions): TokenKeeper | undefined {
  if (key !== undefined) return new TokenKeeper(async () => ({ text: key }));
  return tokenFile === undefined ? undefined : new TokenKeeper(async () => await tokenIn(tokenFile, name));
}
