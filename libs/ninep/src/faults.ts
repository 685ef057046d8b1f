import { interrupted, ioError, NinepError } from './errors.js';

/** An error made for clients to read: its message is told, `posix` is its errno. */
export interface ClientError extends Error {
  readonly posix: string;
}

function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && 'posix' in error && typeof error.posix === 'string';
}

/** What an operation throws when it passed its signal on to Node. */
function isAbort(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'name' in error && error.name === 'AbortError';
}

/** What the client is told of an error. Errors that are not made for clients also go to `onBug`, after the client was answered. */
export function toClientError(error: unknown, onBug: (error: unknown) => void): ClientError {
  if (isClientError(error)) return error;
  if (isAbort(error)) return interrupted();
  queueMicrotask(() => onBug(error));
  return bugError(error);
}

function bugError(error: unknown): NinepError {
  return ioError(error instanceof Error ? error.message : 'internal error', error);
}
