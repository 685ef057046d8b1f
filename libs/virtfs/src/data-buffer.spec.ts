import { DataBuffer } from './data-buffer.js';

const MOST = 4096;

/** The same numbers in each run. */
function numbers(): (below: number) => number {
  let state = 42;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return (state >>> 8) % below;
  };
}

describe('bytes that are written in place', () => {
  it('are what a plain array would be, and what was given out never changes', () => {
    const pick = numbers();
    const buffer = new DataBuffer(MOST);
    let model: number[] = [];
    const given: { readonly slice: Uint8Array; readonly copy: readonly number[] }[] = [];
    for (let round = 0; round < 3000; round++) {
      const [offset, value] = [pick(300), 1 + pick(250)];
      const piece = Buffer.alloc(1 + pick(40), value);
      const length = [model.length, offset][pick(2)] ?? 0;
      if (pick(5) === 0) {
        buffer.truncate(length, 'u');
        model = Array.from({ length }, (_, at) => model[at] ?? 0);
      } else {
        buffer.write(length, piece, 'u');
        const end = Math.max(model.length, length + piece.length);
        model = Array.from({ length: end }, (_, at) => (at >= length && at < length + piece.length ? value : (model[at] ?? 0)));
      }
      if (model.length > 1000) {
        buffer.replace('', 'u');
        model = [];
      }
      if (pick(3) === 0) given.push({ slice: buffer.bytes, copy: model });
    }
    expect([...buffer.bytes]).toEqual(model);
    for (const { slice, copy } of given) expect([...slice]).toEqual(copy);
  });

  it('are not copied for each small write', () => {
    const buffer = new DataBuffer(1 << 20);
    buffer.replace(Buffer.alloc(1 << 19), 'u');
    buffer.write(1 << 19, Buffer.from('x'), 'u');
    const place = buffer.bytes.buffer;
    for (let n = 1; n < 1000; n++) buffer.write((1 << 19) + n, Buffer.from('x'), 'u');
    expect(buffer.bytes.buffer).toBe(place);
    buffer.write(0, Buffer.from('first'), 'u');
    const again = buffer.bytes.buffer;
    expect(again).not.toBe(place);
    expect(buffer.text.startsWith('first')).toBe(true);
  });
});
