import { ServedBench, TinyFileServer } from '#testkit';
import { readEnds } from './read-ends.js';

const never = new AbortController().signal;

describe('the ends of a file', () => {
  let bench: ServedBench | undefined;
  afterEach(() => bench?.close());

  async function read(content: string | Buffer, maxBytes: number) {
    const bytes = Buffer.from(content);
    const files = new TinyFileServer({
      out: { length: bytes.length, read: (offset, count) => bytes.subarray(offset, offset + Math.min(count, 1000)) },
    });
    bench = await ServedBench.start(files);
    return readEnds(await bench.dial(), { path: 'out', maxBytes }, never);
  }

  it('are all of a short one', async () => {
    expect(await read('x'.repeat(5000), 5000)).toEqual({ text: 'x'.repeat(5000), isWhole: true });
  });

  it('are the start and the end of a longer one, and how much is missing', async () => {
    const { text, isWhole } = await read(`${'a'.repeat(4000)}${'b'.repeat(4000)}`, 100);
    expect(text).toBe(`${'a'.repeat(50)}\n[... 7900 of 8000 bytes left out ...]\n${'b'.repeat(50)}`);
    expect(isWhole).toBe(false);
  });

  it.each(['é', '€', '😀'])('cut no %s', async (character) => {
    for (let shift = 0; shift < 4; shift++) {
      const { text } = await read(`${'x'.repeat(shift)}${character.repeat(2000)}${'y'.repeat(shift)}`, 1000);
      expect(text).not.toContain('\ufffd');
      expect(Buffer.byteLength(text)).toBeGreaterThan(990);
      await bench?.close();
      bench = undefined;
    }
  });

  it('are bytes that are no text all the same', async () => {
    const { text, isWhole } = await read(Buffer.alloc(3000, 0xbf), 1000);
    expect(isWhole).toBe(false);
    expect(text).toMatch(/^\ufffd+\n\[\.\.\. \d+ of 3000 bytes left out \.\.\.\]\n\ufffd+$/);
  });
});
