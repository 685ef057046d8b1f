import { AbortedError, TransientError, type BackendError } from '#model';
import type { Exchange } from './exchange.js';

/** The error for an exchange that our own side ended; undefined when it did not. */
export function failureOfEnd(exchange: Exchange, backend: string): BackendError | undefined {
  switch (exchange.cause) {
    case undefined:
      return undefined;
    case 'aborted':
      return new AbortedError(`${backend}: aborted`, { backend, kind: 'aborted' });
    case 'idle':
      return new TransientError(`${backend}: no answer for too long`, { backend, kind: 'idle' });
    case 'progress':
      return new TransientError(`${backend}: nothing but keep-alives for too long`, { backend, kind: 'progress' });
  }
}
