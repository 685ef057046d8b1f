import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { keepReading } from './keep-reading.js';

it('a reader that throws over one message gets the ones behind it', async () => {
  const stream = new Readable({ read: () => undefined });
  const read: string[] = [];
  const bad: unknown[] = [];
  stream.on('readable', () => {
    for (let byte = nextOf(stream); byte !== undefined; byte = nextOf(stream)) {
      if (byte === '!') throw new Error('indigestible');
      read.push(byte);
    }
  });
  keepReading(stream, (error) => bad.push(error));
  stream.push('a!b!!c');
  await setImmediate();
  expect({ read, bad: bad.length }).toEqual({ read: ['a', 'b', 'c'], bad: 3 });
});

function nextOf(stream: Readable): string | undefined {
  const byte: unknown = stream.read(1);
  return Buffer.isBuffer(byte) ? byte.toString() : undefined;
}
