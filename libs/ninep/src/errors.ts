/** An error with the exact text for Rerror and the errno for other dialects. */
export class NinepError extends Error {
  constructor(
    message: string,
    readonly posix: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'NinepError';
  }
}

export const unknownFid = (): NinepError => new NinepError('bad file descriptor: unknown fid', 'EBADF');
export const badFid = (why: string): NinepError => new NinepError(`bad file descriptor: ${why}`, 'EBADF');
export const illegalArgument = (what: string): NinepError => new NinepError(`illegal argument: ${what}`, 'EINVAL');
export const notSupported = (what: string): NinepError => new NinepError(`illegal argument: ${what}`, 'EOPNOTSUPP');
export const illegalName = (name: string): NinepError => new NinepError(`illegal name: ${name}`, 'EINVAL');
export const illegalOffset = (): NinepError => new NinepError('illegal offset', 'EINVAL');
export const isADirectory = (): NinepError => new NinepError('is a directory', 'EISDIR');
export const notADirectory = (): NinepError => new NinepError('not a directory', 'ENOTDIR');
export const noSuchFile = (): NinepError => new NinepError('file does not exist', 'ENOENT');
export const permissionDenied = (why?: string): NinepError =>
  new NinepError(why === undefined ? 'permission denied' : `permission denied: ${why}`, 'EACCES');
/** No Tauth is needed. Clients of 9P2000.L go on to attach when they hear ENOENT, and give up at any other number. */
export const noAuthRequired = (): NinepError => new NinepError('permission denied: no auth required', 'ENOENT');
export const notPermitted = (): NinepError => new NinepError('operation not permitted', 'EPERM');
export const crossesDirectories = (): NinepError => new NinepError('illegal argument: another directory', 'EXDEV');
export const tooManyLocks = (): NinepError => new NinepError('i/o error: too many locks', 'ENOLCK');
export const interrupted = (): NinepError => new NinepError('interrupted', 'EINTR');
export const ioError = (what: string, cause?: unknown): NinepError =>
  new NinepError(`i/o error: ${what}`, 'EIO', cause === undefined ? undefined : { cause });

/** A system call about an address that failed, with its errno. */
export function cannot(doWhat: string, address: string, cause: unknown): NinepError {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'EIO';
  return new NinepError(`i/o error: cannot ${doWhat} ${address}: ${code}`, code, { cause });
}

/** The words by which an error text of a server tells its errno; the first that fits counts. */
const errnoByWord: readonly (readonly [word: string, posix: string])[] = [
  ['bad file descriptor', 'EBADF'],
  ['permission denied', 'EACCES'],
  ['does not exist', 'ENOENT'],
  ['not found', 'ENOENT'],
  ['no such', 'ENOENT'],
  ['already exists', 'EEXIST'],
  ['not a directory', 'ENOTDIR'],
  ['is a directory', 'EISDIR'],
  ['interrupted', 'EINTR'],
  ['is busy', 'EBUSY'],
  ['read-only', 'EROFS'],
  ['too long', 'E2BIG'],
  ['timed out', 'ETIMEDOUT'],
  ['illegal', 'EINVAL'],
];

/** The error behind an Rerror. A text without a known word counts as EIO. */
export function errorFromText(text: string): NinepError {
  const found = errnoByWord.find(([word]) => text.includes(word));
  return new NinepError(text, found?.[1] ?? 'EIO');
}
