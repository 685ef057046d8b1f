import { lstatSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { permissionDenied } from './errors.js';

/** $NAMESPACE, else /tmp/ns.$USER.$DISPLAY: `:0.0` counts as `:0`, each `/` becomes `_`, no display is `:0`. */
export function namespaceDirectory(env: Readonly<Record<string, string | undefined>>): string {
  if (env['NAMESPACE']) return env['NAMESPACE'];
  const user = env['USER'] || userInfo().username;
  const display = (env['DISPLAY'] || ':0').replace(/(:\d+)\.0$/, '$1').replaceAll('/', '_');
  return `/tmp/ns.${user}.${display}`;
}

const PERMISSIONS = 0o777;
const OWNER_ONLY = 0o700;

/** Makes the directory 0700 if it is missing; throws when it is not the user's own or not 0700. */
export function ensureOwnDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: OWNER_ONLY });
  const found = lstatSync(path);
  const isOwn = found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & PERMISSIONS) === OWNER_ONLY;
  if (!isOwn) throw permissionDenied(`${path} is not a directory of yours with mode 0700 (chmod 700 it, or set NAMESPACE to another)`);
}
