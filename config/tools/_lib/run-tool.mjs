import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';

/** A failure that the model can do something about; its message is all that is shown. */
export class ToolFailure extends Error {}

const SYSTEM_ERRORS = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied (outside of what the sandbox allows, or by file mode)',
  EPERM: 'operation not permitted',
  EROFS: 'read-only file system (outside of what the sandbox lets tools write, or so mounted)',
  EISDIR: 'is a directory',
  ENOTDIR: 'a part of the path is not a directory',
  ELOOP: 'too many symbolic links',
  ENOSPC: 'no space left on device',
  ENAMETOOLONG: 'the name is too long',
};

/**
 * Reads the call's arguments (a line of JSON on standard input), prints what `work` returns and exits 0.
 * A failure is printed as one text and exits 1.
 */
export function runTool(work) {
  try {
    process.stdout.write(work(JSON.parse(readFileSync(0, 'utf8'))));
  } catch (error) {
    const text = failureText(error);
    if (text === undefined) throw error;
    process.stdout.write(`${text}\n`);
    process.exitCode = 1;
  }
}

/** The path that a model means: `~` is the home directory, the rest is relative to the working directory. */
export function toPath(text) {
  return resolve(text === '~' || text.startsWith('~/') ? homedir() + text.slice(1) : text);
}

function failureText(error) {
  if (error instanceof ToolFailure) return error.message;
  const reason = SYSTEM_ERRORS[error.code];
  return reason === undefined ? undefined : `${error.path ?? error.syscall}: ${reason}`;
}
