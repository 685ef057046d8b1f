import { OutputBuffer } from './output-buffer.js';

const MIB = 1024 * 1024;
const logText = (buffer: OutputBuffer): string => buffer.firstBytes(20 * MIB).toString('latin1');

describe('the output of a process', () => {
  test('is kept byte by byte, and short output is the text for the model', () => {
    const buffer = new OutputBuffer();
    buffer.append(Buffer.from('grün '));
    buffer.append(Buffer.from('€').subarray(0, 1));
    buffer.append(Buffer.from('€').subarray(1));
    expect(buffer.modelText(100, 'proc/1/out')).toBe('grün €');
    expect(buffer.total).toBe(9);
  });

  test('ends after 10 MiB with one line that says so, and goes on counting', () => {
    const buffer = new OutputBuffer();
    for (let i = 0; i < 11; i += 1) buffer.append(Buffer.alloc(MIB, 'x'));
    buffer.append(Buffer.from('THE END'));
    const text = logText(buffer);
    expect(text.slice(10 * MIB)).toBe('\n[output truncated at 10485760 bytes]\n');
    expect(buffer.total).toBe(11 * MIB + 7);
    expect(buffer.isTruncated).toBe(true);
    expect(buffer.modelText(32 * 1024, 'proc/1/out')).toMatch(
      /^x+\n\[\.\.\. \d+ of 11534343 bytes left out; proc\/1\/out has the first 10485760 \.\.\.\]\nx+THE END$/,
    );
  });

  test('the line stands at the start of a line also where the kept part ends with one', () => {
    const buffer = new OutputBuffer();
    buffer.append(Buffer.alloc(10 * MIB - 1, 'x'));
    buffer.append(Buffer.from('\nmore'));
    expect(logText(buffer).slice(10 * MIB - 2)).toBe('x\n[output truncated at 10485760 bytes]\n');
  });

  test('exactly 10 MiB are not too much until one byte more comes', () => {
    const buffer = new OutputBuffer();
    buffer.append(Buffer.alloc(10 * MIB, 'x'));
    expect(logText(buffer).length).toBe(10 * MIB);
    buffer.append(Buffer.from('y'));
    expect(logText(buffer).slice(10 * MIB)).toBe('\n[output truncated at 10485760 bytes]\n');
  });

  test('bytes that are no text take no more room than text', () => {
    const buffer = new OutputBuffer();
    buffer.append(Buffer.alloc(20_000, 0xff));
    expect(Buffer.byteLength(buffer.modelText(32 * 1024, 'proc/1/out'))).toBeLessThanOrEqual(32 * 1024);
    buffer.append(Buffer.alloc(20_000, 0xff));
    expect(Buffer.byteLength(buffer.modelText(32 * 1024, 'proc/1/out'))).toBeLessThanOrEqual(32 * 1024);
  });

  test('many small pieces give the same ends as one large piece', () => {
    const [pieces, whole] = [new OutputBuffer(), new OutputBuffer()];
    const all = Buffer.from(Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join(''));
    for (let at = 0; at < all.length; at += 777) pieces.append(all.subarray(at, at + 777));
    whole.append(all);
    expect(pieces.modelText(32 * 1024, 'x')).toBe(whole.modelText(32 * 1024, 'x'));
    expect(Buffer.byteLength(whole.modelText(32 * 1024, 'x'))).toBeLessThanOrEqual(32 * 1024);
    expect(whole.modelText(32 * 1024, 'x')).toMatch(/^line 0\n[^]*line 19999\n$/);
  });
});
