/** Same closed set of errno names as the other libs, by shape: doors look for `posix` on an error. */
export class FileError extends Error {
  constructor(
    message: string,
    readonly posix: 'EACCES' | 'EINVAL' | 'EIO' | 'ENOENT' | 'E2BIG' | 'EINTR' | 'ENOTDIR' | 'EISDIR' | 'EBADF',
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
