import { readFile } from 'node:fs/promises';
import { messageOf } from '#config';
import { isJsonObject, jsonIn, type JsonObject } from '#model';
import { textField } from '../wire/json-fields.js';
import type { Token } from '../wire/token-keeper.js';
import { databaseIn, loginTextIn } from './login-database.js';
import { noLogin } from './no-login.js';

/** A login that Kiro keeps in a file of JSON, or in the database of its command line, and renews there. Throws AuthError, which holds nothing of it. */
export async function loginIn(file: string, backend: string): Promise<{ readonly token: Token; readonly profileArn: string | undefined }> {
  const login = await objectIn(file, backend);
  const of = (name: string, inDatabase: string): string | undefined => textField(login, name) ?? textField(login, inDatabase);
  const text = of('accessToken', 'access_token');
  if (!text) throw noLogin(backend, `no accessToken in ${file}`);
  const expiresAt = Date.parse(of('expiresAt', 'expires_at') ?? '');
  const token = Number.isNaN(expiresAt) ? { text } : { text, expiresAt };
  return { token, profileArn: of('profileArn', 'profile_arn') || undefined };
}

async function objectIn(file: string, backend: string): Promise<JsonObject> {
  const value = jsonIn(await textIn(file, backend));
  // What a parser says of it may hold a part of it.
  if (!isJsonObject(value)) throw noLogin(backend, `no JSON object in ${file}`);
  return value;
}

async function textIn(file: string, backend: string): Promise<string> {
  const database = databaseIn(file);
  if (database !== undefined) return loginTextIn(database, backend);
  return await readFile(file, 'utf8').catch((error: unknown) => {
    throw noLogin(backend, messageOf(error));
  });
}
