import { constants } from 'node:os';

/** What a request is refused with; `posix` is what the caller's errno becomes. */
export class FuseError extends Error {
  override readonly name = 'FuseError';

  constructor(
    readonly posix: string,
    message: string = posix,
  ) {
    super(message);
  }
}

/** A mount that could not be made, or taken away; the message is a sentence for a person. */
export class MountError extends Error {
  override readonly name = 'MountError';
}

const NUMBERS: ReadonlyMap<string, number> = new Map(Object.entries(constants.errno));

/** The errno of an error that is made for callers; undefined for one that is not: a bug. */
export function errnoOf(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('posix' in error && typeof error.posix === 'string') return NUMBERS.get(error.posix) ?? constants.errno.EIO;
  return 'name' in error && error.name === 'AbortError' ? constants.errno.EINTR : undefined;
}
