import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ensureOwnDirectory } from '#ninep';
import { ToolsrvStartError } from './errors.js';

/** sockaddr_un.sun_path holds 108 bytes with the final NUL. */
const MAX_SOCKET_PATH_BYTES = 107;

/** A fresh name in the user's own 0700 directory below `runtime`. Throws ToolsrvStartError when it is too long for a socket. */
export function newSocketPath(runtime: string): string {
  const directory = join(runtime, 'tools');
  const path = join(directory, randomBytes(4).toString('hex'));
  const length = Buffer.byteLength(path);
  if (length > MAX_SOCKET_PATH_BYTES) {
    throw new ToolsrvStartError(
      `socket path ${path} has ${String(length)} bytes, ${String(MAX_SOCKET_PATH_BYTES)} are possible; set XDG_RUNTIME_DIR to a shorter directory`,
    );
  }
  mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
  ensureOwnDirectory(directory);
  return path;
}
