import fc from 'fast-check';
import { ByteLog } from './byte-log.js';
import { InterruptedFileError } from './errors.js';

const NEVER = new AbortController().signal;

function readAll(log: ByteLog, size: number): Buffer {
  const pieces: Uint8Array[] = [];
  for (let offset = 0; offset < log.length;) {
    const piece = log.slice(offset, size);
    pieces.push(piece);
    offset += piece.length;
  }
  return Buffer.concat(pieces);
}

const filled = (...pieces: readonly string[]) => {
  const log = new ByteLog();
  for (const piece of pieces) log.append(piece);
  return log;
};

describe('ByteLog', () => {
  it('gives back what was appended, whatever the pieces it came and went in', () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 30 });
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 5000 }), (all, size) => {
        const log = new ByteLog();
        for (const piece of all) log.append(piece);
        expect(readAll(log, size).equals(Buffer.concat(all))).toBe(true);
        expect(log.length).toBe(Buffer.concat(all).length);
      }),
      { numRuns: 50 },
    );
  });

  it('gives the right byte at any offset of a long log', () => {
    const log = new ByteLog();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) & 0xff));
    log.append(bytes);
    for (const offset of [0, 1023, 1024, 65_535, 65_536, 131_071, 299_999]) expect(log.slice(offset, 1)[0]).toBe(bytes[offset]);
    expect(log.slice(300_000, 1)).toHaveLength(0);
  });

  it('keeps slices as they were while it grows', () => {
    const log = filled('abc');
    const slice = log.slice(0, 3);
    log.append('def');
    expect(Buffer.from(slice).toString()).toBe('abc');
  });

  it('does not keep the bytes it was given', () => {
    const log = new ByteLog();
    const bytes = Buffer.from('abc');
    log.append(bytes);
    bytes.fill(0);
    expect(log.tail(3)).toBe('abc');
  });

  it('waits at the end while it is held, whoever else holds it', async () => {
    const log = filled('abc');
    log.hold();
    log.hold();
    const read = Promise.resolve(log.at(3, 10, { signal: NEVER }));
    log.release();
    log.append('def');
    expect(Buffer.from(await read).toString()).toBe('def');
    const rest = Promise.resolve(log.at(6, 10, { signal: NEVER }));
    log.release();
    expect(await rest).toHaveLength(0);
  });

  it('keeps waiting for an offset that is not there yet', async () => {
    const log = filled('abc');
    log.hold();
    const read = Promise.resolve(log.at(5, 10, { signal: NEVER }));
    log.append('de');
    await new Promise((resolve) => setImmediate(resolve));
    log.append('f');
    expect(Buffer.from(await read).toString()).toBe('f');
  });

  it('ends the reads that wait at a release, even if it is held again at once', async () => {
    const log = filled('abc');
    log.hold();
    const read = Promise.resolve(log.at(3, 10, { signal: NEVER }));
    log.release();
    log.hold();
    expect(await read).toHaveLength(0);
  });

  it('lets an interrupted read go', async () => {
    const log = filled('abc');
    log.hold();
    const stop = new AbortController();
    const read = Promise.resolve(log.at(3, 10, stop));
    stop.abort();
    await expect(read).rejects.toThrow(InterruptedFileError);
  });

  it('refuses a release without a hold', () => {
    expect(() => new ByteLog().release()).toThrow('nobody holds');
  });

  it('counts a change for bytes and none for no bytes', () => {
    const log = filled('a');
    const { version } = log;
    log.append('');
    expect(log.version).toBe(version);
    log.append('b');
    expect(log.version).toBeGreaterThan(version);
  });
});

describe('the tail of a ByteLog', () => {
  it('is everything when the log is shorter', () => expect(filled('one\n', 'two').tail(100)).toBe('one\ntwo'));

  it('starts at a line', () => expect(filled('one\ntwo\nthree\n').tail(8)).toBe('three\n'));

  it('keeps a line that starts exactly there', () => expect(filled('one\ntwo\n').tail(4)).toBe('two\n'));

  it('starts at a character where the last line is longer', () => expect(filled(`${'é'.repeat(10)}\n`).tail(6)).toBe('éé\n'));

  it('never holds half a character nor more bytes than asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(300), (text, bytes) => {
        const tail = filled(text).tail(bytes);
        expect(Buffer.byteLength(tail)).toBeLessThanOrEqual(bytes);
        expect(text.endsWith(tail)).toBe(true);
      }),
    );
  });
});
