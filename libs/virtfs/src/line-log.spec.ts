import { LineLogHandle } from './line-log-handle.js';
import { LineLog } from './line-log.js';
import type { Client } from './types.js';

const CLIENT: Client = { role: 'user', uname: 'u', aname: '', tag: 't' };
const NEVER = { signal: new AbortController().signal };
const line = (n: number): string => `line ${String(n).padStart(4, '0')}\n`; // 10 bytes

function logOf(lines: number, maxBytes: number): LineLog {
  const log = new LineLog(maxBytes, (lost, offset) => `gap ${lost} ${offset}\n`);
  for (let n = 0; n < lines; n++) log.append(line(n));
  return log;
}

async function drain(handle: LineLogHandle, from: number, count = 7): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (let at = from; ;) {
    const piece = await handle.read(at, count, NEVER);
    if (piece.length === 0) return Buffer.concat(pieces).toString();
    expect(piece.length).toBeLessThanOrEqual(count);
    pieces.push(piece);
    at += piece.length;
  }
}

const open = (log: LineLog, client = CLIENT, waits = false): LineLogHandle => new LineLogHandle(log, client, waits);
const lines = (from: number, to: number): string => Array.from({ length: to - from }, (_, n) => line(from + n)).join('');

describe('a log of lines', () => {
  it.each([1, 7, 10, 13, 1000])('gives what is kept from any offset, in pieces of %d bytes', async (count) => {
    const log = logOf(20, 1000);
    for (const from of [0, 3, 10, 95, 199, 200]) expect(await drain(open(log), from, count)).toBe(lines(0, 20).slice(from));
  });

  it('keeps the newest bytes, and counts offsets from its first line', async () => {
    const log = logOf(100, 55);
    expect([log.length, log.start]).toEqual([1000, 950]);
    expect(await drain(open(log), 950)).toBe(lines(95, 100));
    expect(await drain(open(log), 963)).toBe(lines(95, 100).slice(13));
  });

  it('keeps a line that is longer than the limit', async () => {
    const log = new LineLog(4, (lost) => `gap ${lost}\n`);
    log.append('longer than it\n');
    expect(await drain(open(log), 0)).toBe('longer than it\n');
  });

  it.each([1, 5, 100])('gives one line about what is gone, and goes on behind it, in pieces of %d bytes', async (count) => {
    const log = logOf(100, 55);
    expect(await drain(open(log), 0, count)).toBe(`gap 95 950\n${lines(95, 100)}`);
    expect(await drain(open(log), 300, count)).toBe(`gap 65 950\n${lines(95, 100)}`);
    expect(await drain(open(log), 949, count)).toBe(`gap 0 950\n${lines(95, 100)}`);
  });

  it('tells a reader that it has overtaken, on a line of its own', async () => {
    const log = logOf(2, 55);
    const handle = open(log);
    expect(Buffer.from(await handle.read(0, 14, NEVER)).toString()).toBe(line(0) + 'line');
    for (let n = 2; n < 30; n++) log.append(line(n));
    expect(await drain(handle, 14)).toBe(`\ngap 23 250\n${lines(25, 30)}`);
  });

  it('takes an offset behind its end for one of another log, and starts over', async () => {
    const log = logOf(3, 1000);
    const client = { ...CLIENT, waitMs: 10 };
    expect(await drain(open(log, client, true), 5000)).toBe(`gap 0 0\n${lines(0, 3)}`);
    expect(await drain(open(log), 5000)).toBe(''); // a log that never waits is a file like others
  });

  it('counts exactly what went last, and about right what went long ago', () => {
    const log = logOf(9000, 100);
    expect(log.lostSince(89_000)).toBe(90);
    expect(log.lostSince(20_000)).toBeGreaterThan(6950);
    expect(log.lostSince(20_000)).toBeLessThan(7030);
    expect(log.lostSince(0)).toBe(8990);
  });

  it('waits at its end where it is to, as long as the client waits', async () => {
    const log = logOf(1, 1000);
    const waiting = open(log, CLIENT, true).read(10, 100, NEVER);
    log.append(line(1));
    expect(Buffer.from(await waiting).toString()).toBe(line(1));
    expect((await open(log, { ...CLIENT, waitMs: 10 }, true).read(20, 100, NEVER)).length).toBe(0);
    const stopped = open(log, { ...CLIENT, waitMs: 10_000 }, true).read(20, 100, { signal: AbortSignal.timeout(10) });
    await expect(stopped).rejects.toThrow('interrupted');
    await expect(open(log, CLIENT, true).read(20, 100, { signal: AbortSignal.abort() })).rejects.toThrow('interrupted');
  });

  it('takes no memory for readers, and little for what is gone', () => {
    const log = logOf(100_000, 1000);
    expect(log.length - log.start).toBeLessThanOrEqual(1000);
    expect(JSON.stringify(log).length).toBeLessThan(200_000);
  });
});
