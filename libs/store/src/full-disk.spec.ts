import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLog } from '#config';
import { SmallDisk } from '#testkit';
import { SessionStore } from './session-store.js';

/** A file system of 256 KiB that the test can fill. */
(SmallDisk.isPossible ? describe : describe.skip)('on a full disk', () => {
  let disk: SmallDisk;
  let data: string;
  beforeEach(() => {
    disk = new SmallDisk();
    data = disk.path;
  });
  afterEach(() => disk.remove());

  it('an append is refused whole, and works again once there is room', () => {
    const files = new SessionStore(data, silentLog).agent('a');
    files.append([{ t: 'one' }]);
    disk.fill();
    const large = { t: 'x'.repeat(8000) };
    expect(() => files.append([large])).toThrow(/^i\/o error: a\.jsonl: ENOSPC/);
    const ends = readFileSync(join(data, 'sessions/a.jsonl'), 'utf8').split('\n');
    expect(ends.slice(1)).toEqual(['{"t":"one"}', '']);
    disk.free();
    files.append([large]);
    expect(new SessionStore(data, silentLog).agent('a').load().records).toEqual([{ t: 'one' }, large]);
  });

  it('what a transcript owes is read at any place, however small its pieces, and goes to the file once there is room', () => {
    const { raw } = new SessionStore(data, silentLog).agent('a');
    disk.fill();
    const pieces = 20_000;
    for (let number = 0; number < pieces; number += 1) raw.append(Buffer.from(`${String(number).padStart(7)}\n`));
    expect(raw.length).toBe(pieces * 8);
    for (const number of [0, 1, 12_345, pieces - 1])
      expect(Buffer.from(raw.slice(number * 8, 8)).toString()).toBe(`${String(number).padStart(7)}\n`);
    expect(raw.slice(pieces * 8, 8)).toHaveLength(0);
    disk.free();
    raw.append(Buffer.from('the last'));
    expect(raw.length).toBe(pieces * 8 + 8);
    const kept = readFileSync(raw.path, 'utf8');
    expect([kept.length, kept.slice(0, 16), kept.slice(-16)]).toEqual([pieces * 8 + 8, '      0\n      1\n', '  19999\nthe last']);
  });

  it('a transcript goes on in memory, and is whole in the file once there is room', () => {
    const { raw } = new SessionStore(data, silentLog).agent('a');
    disk.fill();
    const pieces = Array.from({ length: 20 }, (_none, number) => Buffer.from(`${String(number)} `.repeat(500)));
    for (const piece of pieces) raw.append(piece);
    const whole = Buffer.concat(pieces);
    expect(raw.length).toBe(whole.length);
    expect(readAll(raw)).toEqual(whole);
    disk.free();
    raw.append(Buffer.from('end'));
    expect(readFileSync(join(data, 'sessions/a.chat'))).toEqual(Buffer.concat([whole, Buffer.from('end')]));
    expect(readAll(raw)).toEqual(Buffer.concat([whole, Buffer.from('end')]));
  });

  it('a snapshot is refused and the old one stays', () => {
    const files = new SessionStore(data, silentLog).agent('a');
    files.replaceSnapshot({ id: 'a' });
    files.append([{ t: 'one' }]);
    disk.fill();
    expect(() => files.replaceSnapshot({ id: 'a', text: 'x'.repeat(20_000) })).toThrow(/ENOSPC/);
    expect(new SessionStore(data, silentLog).agent('a').load()).toMatchObject({ snapshot: { id: 'a' }, records: [{ t: 'one' }] });
  });
});

function readAll(bytes: { readonly length: number; slice(offset: number, count: number): Uint8Array }): Buffer {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const piece = bytes.slice(at, 1000);
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces);
}
