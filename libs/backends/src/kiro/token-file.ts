import { readFile } from 'node:fs/promises';
import { messageOf } from '#config';
import { AuthError, isJsonObject, parseJson, type JsonObject } from '#model';
import { textField } from '../wire/json-fields.js';
import type { Token } from '../wire/token-keeper.js';

/** The token of a login that Kiro keeps in a file of JSON, and renews there. Throws AuthError, which holds nothing of it. */
export async function tokenIn(file: string, backend: string): Promise<Token> {
  const login = await loginIn(file, backend);
  const text = textField(login, 'accessToken');
  if (text === undefined || text === '') throw refused(backend, `no accessToken in ${file}`);
  const expiresAt = Date.parse(textField(login, 'expiresAt') ?? '');
  return Number.isNaN(expiresAt) ? { text } : { text, expiresAt };
}

async function loginIn(file: string, backend: string): Promise<JsonObject> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refused(backend, messageOf(error));
  });
  const login = jsonIn(text);
  if (!login) throw refused(backend, `no JSON object in ${file}`);
  return login;
}

/** What a parser says of it may hold a part of it. */
function jsonIn(text: string): JsonObject | undefined {
  try {
    const value = parseJson(text);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function refused(backend: string, why: string): AuthError {
  return new AuthError(`${backend}: no login: ${why}`, { backend, kind: 'auth' });
}
