import type { Token } from '../wire/token-keeper.js';

/** A token may say which proxy serves it: the API is beside it. */
const PROXY = /(?:^|;)proxy-ep=proxy\.([A-Za-z0-9.-]+)(?=;|$)/;

export function tokenOf(text: string): Token {
  const host = PROXY.exec(text)?.[1];
  return { text, ...(host !== undefined && { baseUrl: `https://api.${host}` }) };
}
