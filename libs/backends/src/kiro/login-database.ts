import { messageOf } from '#config';
import { noLogin } from './no-login.js';

/** Where a login of kiro-cli lies; its predecessor's behind it. */
const KEYS: readonly string[] = ['kirocli:social:token', 'kirocli:odic:token', 'kirocli:external-idp:token', 'codewhisperer:odic:token'];
const SCHEME = 'sqlite://';

/** The path in `sqlite://PATH`; undefined for anything else. */
export function databaseIn(place: string): string | undefined {
  return place.startsWith(SCHEME) ? place.slice(SCHEME.length) : undefined;
}

/** The text of the login that kiro-cli keeps in its database, which is opened for reading only. Throws AuthError. */
export function loginTextIn(database: string, backend: string): string {
  const sqlite = process.getBuiltinModule('node:sqlite');
  if (!sqlite) throw noLogin(backend, `${SCHEME} needs Node 22.13 or later, this is ${process.versions.node}`);
  const values = new Map(rowsOf(sqlite, database, backend));
  const text = KEYS.map((key) => values.get(key)).find((value) => value !== undefined);
  if (text === undefined) throw noLogin(backend, `nobody is logged in in ${database}: kiro-cli login`);
  return text;
}

function rowsOf(
  sqlite: typeof import('node:sqlite'),
  database: string,
  backend: string,
): readonly (readonly [key: string, value: string])[] {
  try {
    const open = new sqlite.DatabaseSync(database, { readOnly: true, timeout: 1_000 });
    try {
      const rows = open.prepare(`SELECT key, value FROM auth_kv WHERE key IN (${KEYS.map(() => '?').join(', ')})`).all(...KEYS);
      return rows.map(({ key, value }) => [String(key), String(value)]);
    } finally {
      open.close();
    }
  } catch (error) {
    throw noLogin(backend, `${database}: ${messageOf(error)}`);
  }
}
