import { messageOf } from '#config';
import { StreamError } from './errors.js';

export type StreamName = 'standard input' | 'standard output' | 'standard error';

/** What a failed system call says of a stream, without its code and call: `ENOSPC: no space left on device, write`. */
export function streamError(name: StreamName, error: unknown): StreamError {
  const reason = messageOf(error)
    .replace(/^[A-Z][A-Z0-9]+: /, '')
    .replace(/, \w+$/, '');
  return new StreamError(`${name}: ${reason}`, { cause: error });
}
