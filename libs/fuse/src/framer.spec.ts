import fc from 'fast-check';
import { Framer } from './framer.js';

function frameOf(body: Uint8Array): Buffer {
  const frame = Buffer.alloc(4 + body.length);
  frame.writeUInt32LE(frame.length, 0);
  frame.set(body, 4);
  return frame;
}

describe('the frames of a stream', () => {
  it('come out whole, however they were cut', () => {
    const bodies = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(bodies, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }), (given, cuts) => {
        const frames = given.map(frameOf);
        const taken: string[] = [];
        const framer = new Framer((frame) => taken.push(frame.toString('hex')));
        let rest = Buffer.concat(frames);
        for (let turn = 0; rest.length > 0; turn++) {
          const size = cuts[turn % cuts.length] ?? 1;
          framer.push(rest.subarray(0, size));
          rest = rest.subarray(size);
        }
        expect(taken).toEqual(frames.map((frame) => frame.toString('hex')));
      }),
    );
  });

  it('cannot be shorter than their length', () => {
    const framer = new Framer(() => undefined);
    expect(() => framer.push(Buffer.from([3, 0, 0, 0, 9]))).toThrow(RangeError);
  });
});
