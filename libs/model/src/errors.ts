/** The errno that a mount shows for an error; the text beside it is what 9P2000 clients read. */
export type PosixCode = 'EACCES' | 'EBUSY' | 'EEXIST' | 'EINTR' | 'EINVAL' | 'EIO' | 'ENOENT' | 'EROFS' | 'E2BIG' | 'ETIMEDOUT';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/**
 * An error that a person or program outside reads. `message` is the exact text of the namespace
 * contract (section 1.10); `posix` is its errno; `level` says how loud the log is about it.
 * Doors send `message` on as it is. Any other Error that reaches a door is a bug and is logged as one.
 */
export class OllieError extends Error {
  constructor(
    message: string,
    readonly posix: PosixCode,
    readonly level: LogLevel = 'info',
  ) {
    super(message);
    this.name = new.target.name;
  }
}

export class NotFoundError extends OllieError {
  constructor(kind: 'profile' | 'model' | 'backend' | 'tool' | 'process' | 'agent' | 'session' | 'request' | 'directory', what: string) {
    super(`no such ${kind}: ${what}`, 'ENOENT');
  }
}

export class AlreadyExistsError extends OllieError {
  constructor(kind: 'session' | 'agent', name: string) {
    super(`${kind} already exists: ${name}`, 'EEXIST');
  }
}

export class IllegalInputError extends OllieError {
  constructor(kind: 'command' | 'key' | 'value' | 'name' | 'argument', what: string) {
    super(`illegal ${kind}: ${what}`, 'EINVAL');
  }
}

export class PermissionDeniedError extends OllieError {
  constructor(why?: string) {
    super(why === undefined ? 'permission denied' : `permission denied: ${why}`, 'EACCES');
  }
}

export class BusyError extends OllieError {
  constructor(what: 'agent is busy' | 'session is busy' | 'process is busy: still running') {
    super(what, 'EBUSY');
  }
}

export class ReadOnlyError extends OllieError {
  constructor(key: string) {
    super(`read-only: ${key}`, 'EROFS');
  }
}

export class MessageTooLongError extends OllieError {
  constructor() {
    super('message too long', 'E2BIG');
  }
}

export class InterruptedError extends OllieError {
  constructor() {
    super('interrupted', 'EINTR', 'debug');
  }
}

export class TimedOutError extends OllieError {
  constructor(what: string) {
    super(`timed out: ${what}`, 'ETIMEDOUT', 'warn');
  }
}

/** A partner (toolsrv, a backend, ssh, a disk) failed. `what` names it first: `toolsrv: connection lost`. */
export class PartnerError extends OllieError {
  constructor(what: string, options?: { readonly cause: unknown }) {
    super(`i/o error: ${what}`, 'EIO', 'warn');
    if (options) this.cause = options.cause;
  }

  /** Of a backend, whose name stands before the reason once. */
  static ofBackend(name: string, cause: Error): PartnerError {
    const { message } = cause;
    return new PartnerError(message.startsWith(`${name}: `) ? message : `${name}: ${message}`, { cause });
  }
}

/** The partner went away, or was told to. */
export class LostConnectionError extends PartnerError {
  constructor(partner: string, options?: { readonly cause: unknown }) {
    super(`${partner}: connection lost`, options);
  }
}
