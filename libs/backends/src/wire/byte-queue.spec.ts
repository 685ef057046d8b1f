import fc from 'fast-check';
import { ByteQueue } from './byte-queue.js';

describe('a queue of bytes', () => {
  it('holds what was appended and not dropped', () => {
    const step = fc.record({ piece: fc.uint8Array({ maxLength: 3_000 }), drop: fc.nat({ max: 100 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const queue = new ByteQueue();
        let expected = Buffer.alloc(0);
        for (const { piece, drop } of steps) {
          queue.append(Buffer.from(piece));
          const count = Math.floor(((expected.length + piece.length) * drop) / 100);
          expected = Buffer.concat([expected, piece]).subarray(count);
          queue.drop(count);
          expect([queue.length, queue.bytes.equals(expected)]).toEqual([expected.length, true]);
        }
      }),
    );
  });

  it('takes time in proportion to what came, byte by byte', () => {
    const queue = new ByteQueue();
    const byte = Buffer.from('x');
    const started = performance.now();
    for (let i = 0; i < 1_000_000; i += 1) queue.append(byte);
    for (let i = 0; i < 1_000_000; i += 1) {
      queue.drop(1);
      queue.append(byte);
    }
    expect(queue.length).toBe(1_000_000);
    expect(performance.now() - started).toBeLessThan(4_000);
  });
});
