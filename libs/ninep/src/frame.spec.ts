import fc from 'fast-check';
import { decodeBody, decodeHead, encodeMessage } from './codec.js';
import { ninep2000 } from './dialect.js';
import { NinepError } from './errors.js';
import type { Fcall } from './fcall.js';
import { Framer } from './frame.js';
import { Reader } from './reader.js';

const LIMIT = 4096;
const writeOf = (size: number, tag: number): Fcall => ({ type: 'Twrite', tag, fid: 1, offset: 0, data: Buffer.alloc(size, tag) });

/** What a framer makes of chunks. */
function framesOf(chunks: readonly Uint8Array[], limit = LIMIT): Fcall[] {
  const framer = new Framer(() => limit);
  const reader = new Reader();
  const found: Fcall[] = [];
  for (const chunk of chunks) {
    framer.push(Buffer.from(chunk));
    while (framer.next(reader)) found.push(decodeBody(ninep2000, decodeHead(reader), reader));
  }
  return found;
}

function split(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let rest = bytes;
  for (let n = 0; rest.length > 0; n++) {
    const size = Math.max(1, sizes[n % sizes.length] ?? 1);
    chunks.push(rest.subarray(0, size));
    rest = rest.subarray(size);
  }
  return chunks;
}

describe('a framer', () => {
  it('finds the same messages however the stream is cut', () => {
    const lengths = fc.array(fc.nat(300), { minLength: 1, maxLength: 12 });
    const cuts = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(lengths, cuts, (sizes, where) => {
        const sent = sizes.map((size, n) => writeOf(size, n));
        expect(framesOf(split(Buffer.concat(sent.map((message) => encodeMessage(message))), where))).toEqual(sent);
      }),
    );
  });

  it('keeps what was not asked for yet when more arrives', () => {
    const framer = new Framer(() => LIMIT);
    const reader = new Reader();
    const frames = [1, 2, 3].map((tag) => encodeMessage(writeOf(10, tag)));
    for (const frame of frames) framer.push(frame);
    const tags = frames.map(() => (framer.next(reader) ? decodeHead(reader).tag : undefined));
    expect(tags).toEqual([1, 2, 3]);
    expect(framer.next(reader)).toBe(false);
  });

  it('takes memory as bytes come, not as they are announced', () => {
    const limit = 64 * 1024 * 1024;
    const framer = new Framer(() => limit);
    const start = Buffer.alloc(10_000);
    start.writeUInt32LE(limit);
    const before = process.memoryUsage().arrayBuffers;
    framer.push(start);
    expect(framer.next(new Reader())).toBe(false);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
  });

  it('puts a message together from very many pieces without taking memory anew for each', () => {
    const chunks = split(encodeMessage(writeOf(1_000_000, 1)), [30]);
    const taken = jest.spyOn(Buffer, 'allocUnsafeSlow');
    const [found] = framesOf(chunks, 2_000_000);
    expect(found).toMatchObject({ type: 'Twrite', data: expect.objectContaining({ length: 1_000_000 }) });
    expect(taken.mock.calls.length).toBeLessThan(20);
    taken.mockRestore();
  });

  it('refuses a size below a header or above the limit as soon as it is known', () => {
    for (const size of [0, 6, LIMIT + 1, 0x7fffffff, 0x80000000, 0xffffffff]) {
      const head = Buffer.alloc(4);
      head.writeUInt32LE(size);
      expect(() => framesOf([head])).toThrow(NinepError);
      expect(() => framesOf(split(head, [1]))).toThrow(NinepError);
    }
    expect(framesOf([encodeMessage(writeOf(LIMIT - 23, 1))])).toHaveLength(1);
  });
});
