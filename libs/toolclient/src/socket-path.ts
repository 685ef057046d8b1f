import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, messageOf } from '#config';
import { ensureOwnDirectory, NinepError } from '#ninep';
import { ToolsrvStartError } from './errors.js';

/** sockaddr_un.sun_path holds 108 bytes with the final NUL. */
const MAX_SOCKET_PATH_BYTES = 107;

/** A fresh name in the user's own 0700 directory below `runtime`. Throws ToolsrvStartError when it is too long for a socket, or there can be no such directory. */
export function newSocketPath(runtime: string): string {
  const directory = join(runtime, 'tools');
  const path = join(directory, randomBytes(4).toString('hex'));
  const length = Buffer.byteLength(path);
  if (length > MAX_SOCKET_PATH_BYTES) {
    throw new ToolsrvStartError(
      `socket path ${path} has ${String(length)} bytes, ${String(MAX_SOCKET_PATH_BYTES)} are possible; set XDG_RUNTIME_DIR to a shorter directory`,
    );
  }
  makeOwn(directory);
  return path;
}

function makeOwn(directory: string): void {
  try {
    mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
    ensureOwnDirectory(directory);
  } catch (error) {
    if (!(error instanceof NinepError) && errnoOf(error) === undefined) throw error;
    throw new ToolsrvStartError(`no directory for its socket: ${messageOf(error)}; set XDG_RUNTIME_DIR to a directory of your own`);
  }
}
