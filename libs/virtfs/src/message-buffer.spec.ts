import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LineBuffer } from './line-buffer.js';
import { MessageBuffer } from './message-buffer.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heldBytes(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const WRITES = 100_000;
const MOST_BYTES = 2 << 20;

describe('what is written byte by byte', () => {
  const byte = Buffer.from('x');

  it('takes little more memory than its bytes as a message', () => {
    const message = new MessageBuffer((line) => line === '');
    const before = heldBytes();
    for (let n = 0; n < WRITES; n++) message.add(byte);
    expect(heldBytes() - before).toBeLessThan(MOST_BYTES);
    expect(message.text).toBe('x'.repeat(WRITES));
  });

  it('takes little more memory than its bytes as a line', () => {
    const lines = new LineBuffer(WRITES);
    const before = heldBytes();
    for (let n = 0; n < WRITES; n++) lines.push(byte);
    expect(heldBytes() - before).toBeLessThan(MOST_BYTES);
    expect(lines.push(Buffer.from('y\nz'))).toEqual([undefined]);
    expect(lines.take()).toBe('z');
  });

  it('is a copy of what was given', () => {
    const message = new MessageBuffer();
    const given = Buffer.from('naïve');
    message.add(given.subarray(0, 3));
    message.add(given.subarray(3));
    given.fill(0);
    expect(message.text).toBe('naïve');
  });
});
