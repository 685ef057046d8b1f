export type FilePosix = 'EACCES' | 'EINVAL' | 'EIO' | 'ENOENT' | 'E2BIG' | 'EINTR' | 'ENOTDIR' | 'EISDIR' | 'EBADF';

/** What a client of a file tree reads: `message` is the contract's text, `posix` the errno beside it. Doors look for `posix` on an error. */
export class FileError extends Error {
  constructor(
    message: string,
    readonly posix: FilePosix,
  ) {
    super(message);
    this.name = new.target.name;
  }
}

export class FileDeniedError extends FileError {
  constructor(why?: string) {
    super(why === undefined ? 'permission denied' : `permission denied: ${why}`, 'EACCES');
  }
}

export class NoSuchFileError extends FileError {
  constructor() {
    super('file does not exist', 'ENOENT');
  }
}

export class InterruptedFileError extends FileError {
  constructor() {
    super('interrupted', 'EINTR');
  }
}

export class TooLongError extends FileError {
  constructor() {
    super('message too long', 'E2BIG');
  }
}

export class IllegalFileInputError extends FileError {
  constructor(kind: 'command' | 'argument' | 'offset', what: string) {
    super(kind === 'offset' ? 'illegal offset' : `illegal ${kind}: ${what}`, 'EINVAL');
  }
}

/** Whether an error is meant for the client (it carries an errno, whichever lib it comes from); anything else is a bug. */
export function isClientError(error: unknown): error is Error & { readonly posix: string } {
  return error instanceof Error && 'posix' in error && typeof error.posix === 'string';
}
