import type { Readable } from 'node:stream';

/**
 * A message that its reader cannot digest must not end the process, nor keep the ones behind it: the reader has taken
 * it off the stream before it throws, and goes on with the next.
 */
export function keepReading(stream: Readable, onBadMessage: (error: unknown) => void): void {
  const readers = stream.listeners('readable');
  stream.removeAllListeners('readable');
  for (const read of readers) {
    const isDone = (): boolean => {
      try {
        Reflect.apply(read, stream, []);
        return true;
      } catch (error) {
        onBadMessage(error);
        return false;
      }
    };
    stream.on('readable', () => {
      while (!isDone());
    });
  }
}
