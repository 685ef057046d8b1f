import { ClosedOutputError } from './errors.js';
import { streamError, type StreamName } from './stream-error.js';
import type { Output } from './world.js';

/** An Output over a stream of Node. */
export function streamOutput(name: StreamName, stream: NodeJS.WritableStream): Output {
  stream.on('error', () => undefined); // each write reports its own failure
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => {
        stream.write(bytes, (error) => (error ? reject(isClosed(error) ? new ClosedOutputError() : streamError(name, error)) : resolve()));
      }),
  };
}

function isClosed(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
