import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually } from '#testkit';
import { ByteLog } from '#virtfs';
import { OutputBuffer } from './output-buffer.js';
import { Spool } from './spool.js';

const MIB = 1024 * 1024;

describe('a spool', () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'spool-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const descriptors = (): number => readdirSync('/proc/self/fd').length;
  const pattern = Buffer.from(Array.from({ length: 251 }, (_, n) => n));
  const bytesFrom = (start: number, length: number): Buffer => Buffer.from(Array.from({ length }, (_, n) => (start + n) % 251));

  /** The bytes of a log from `offset`, read in pieces. */
  function read(log: ByteLog, offset: number, count: number): Buffer {
    const pieces: Uint8Array[] = [];
    for (let at = offset; at < offset + count;) {
      const piece = log.slice(at, offset + count - at);
      if (piece.length === 0) break;
      pieces.push(piece);
      at += piece.length;
    }
    return Buffer.concat(pieces);
  }

  it('keeps a long log in a file that has no name, and gives back every byte of it', () => {
    const log = new ByteLog(new Spool(() => directory));
    for (let n = 0; n < 4000; n++) log.append(pattern);
    const { length } = log;
    expect(length).toBe(4000 * 251);
    for (const [start, count] of [
      [0, 1000],
      [65_530, 20],
      [500_003, 200_000],
      [length - 100, 100],
    ] as const)
      expect(read(log, start, count).equals(bytesFrom(start, count))).toBe(true);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('holds little of it in memory', async () => {
    const piece = Buffer.alloc(MIB, 'x');
    const log = new ByteLog(new Spool(() => directory));
    setFlagsFromString('--expose-gc');
    runInNewContext('gc()');
    const before = process.memoryUsage().arrayBuffers;
    for (let n = 0; n < 40; n++) log.append(piece);
    await eventually(() => {
      runInNewContext('gc()'); // it lets go of buffers a while later, by a thread of its own
      return process.memoryUsage().arrayBuffers - before < MIB;
    });
    expect(log.length).toBe(40 * MIB);
  });

  it('makes no file for a short log', () => {
    let asked = 0;
    const log = new ByteLog(new Spool(() => (asked++, directory)));
    log.append('short');
    expect([asked, read(log, 0, 100).toString()]).toEqual([0, 'short']);
  });

  it('loses nothing where it cannot write', () => {
    const log = new ByteLog(new Spool(() => join(directory, 'nowhere')));
    for (let n = 0; n < 2000; n++) log.append(pattern);
    expect(read(log, 0, log.length).equals(bytesFrom(0, 2000 * 251))).toBe(true);
    mkdirSync(join(directory, 'nowhere'));
    for (let n = 0; n < 2000; n++) log.append(pattern);
    expect(read(log, 0, log.length).equals(bytesFrom(0, 4000 * 251))).toBe(true);
  });

  it('gives its descriptor back; what was in the file is an error then, what is in memory is not', () => {
    const before = descriptors();
    const output = new OutputBuffer(new Spool(() => directory));
    output.append(Buffer.alloc(MIB, 'x'));
    expect(descriptors()).toBe(before + 1);
    output.close();
    expect(descriptors()).toBe(before);
    expect(() => output.log.slice(0, 10)).toThrow('i/o error: the output is no longer kept');
    expect(output.log.slice(MIB - 1, 10)).toHaveLength(1);
    output.append(Buffer.alloc(MIB, 'y'));
    expect(descriptors()).toBe(before);
  });

  it('needs its directory no more once it has its file', () => {
    const log = new ByteLog(new Spool(() => directory));
    log.append(Buffer.alloc(MIB, 'x'));
    rmSync(directory, { recursive: true });
    expect(existsSync(directory)).toBe(false);
    expect(read(log, 0, MIB).equals(Buffer.alloc(MIB, 'x'))).toBe(true);
  });
});
