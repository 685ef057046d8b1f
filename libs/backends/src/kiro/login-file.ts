import { readFile } from 'node:fs/promises';
import { messageOf } from '#config';
import { AuthError, isJsonObject, parseJson, type JsonObject } from '#model';
import { textField } from '../wire/json-fields.js';
import type { Token } from '../wire/token-keeper.js';

/** A login that Kiro keeps in a file of JSON, and renews there. Throws AuthError, which holds nothing of it. */
export async function loginIn(file: string, backend: string): Promise<{ readonly token: Token; readonly profileArn: string | undefined }> {
  const login = await objectIn(file, backend);
  const text = textField(login, 'accessToken');
  if (!text) throw refused(backend, `no accessToken in ${file}`);
  const expiresAt = Date.parse(textField(login, 'expiresAt') ?? '');
  const token = Number.isNaN(expiresAt) ? { text } : { text, expiresAt };
  return { token, profileArn: textField(login, 'profileArn') || undefined };
}

async function objectIn(file: string, backend: string): Promise<JsonObject> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw refused(backend, messageOf(error));
  });
  const object = jsonIn(text);
  if (!object) throw refused(backend, `no JSON object in ${file}`);
  return object;
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
