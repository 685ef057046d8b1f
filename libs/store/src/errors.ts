import { messageOf } from '#config';

/** The disk did not take or give something. `posix` makes it an answer that doors send on as it is. */
export class StoreError extends Error {
  readonly posix = 'EIO';

  constructor(what: string, cause: unknown) {
    super(`i/o error: ${what}: ${messageOf(cause)}`, { cause });
    this.name = new.target.name;
  }
}

/** Another live server owns the store. */
export class StoreOwnedError extends Error {
  readonly posix = 'EBUSY';

  constructor(data: string, owner: string) {
    super(`${data} belongs to ${owner}; end it with olliesrv stop, or set OLLIE_DATA_PATH`);
    this.name = new.target.name;
  }
}
