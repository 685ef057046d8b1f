import fc from 'fast-check';
import { LiveText } from './live-text.js';

const FILE = 'proc/7/out';
const text = (): LiveText => new LiveText(64);

function pushAll(live: LiveText, pieces: readonly (string | Uint8Array)[]): readonly string[] {
  return pieces.map((piece) => live.push(Buffer.from(piece), FILE));
}

describe('the text of a growing output', () => {
  it('has whole characters, wherever the bytes are cut', () => {
    const cuts = fc.array(fc.nat(40), { maxLength: 10 });
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '\n', 'é', '漢', '😀'), maxLength: 20 }), cuts, (all, places) => {
        const bytes = Buffer.from(all);
        const ends = [...places, bytes.length].sort((a, b) => a - b);
        const shown = pushAll(
          new LiveText(1000),
          ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)),
        );
        expect(shown.join('')).toBe(bytes.toString());
        expect(shown.some((piece) => piece.includes('\ufffd'))).toBe(false);
      }),
    );
  });

  it.each([
    ['a NUL', Buffer.from([0x61, 0, 0x62])],
    ['no UTF-8', Buffer.from([0x61, 0xff, 0x62])],
    ['a character that never ends', Buffer.from([0xc3, 0x28])],
  ])('ends before %s', (_what, bytes) => {
    const live = text();
    expect(pushAll(live, ['start\n', bytes])).toEqual(['start\n', '']);
    expect(live.isOver).toBe(true);
  });

  it('is none for a result as JSON, in whatever pieces its mark comes', () => {
    const live = text();
    expect(pushAll(live, ['#!oll', 'ie-result\n{}'])).toEqual(['', '']);
    expect(live.isOver).toBe(true);
  });

  it('is there for what only begins like a result', () => {
    const live = text();
    expect(pushAll(live, ['#!', '/bin/sh\n', '#!ollie-result'])).toEqual(['', '#!/bin/sh\n', '#!ollie-result']);
    expect(live.isOver).toBe(false);
  });

  it.each([
    ['x'.repeat(65), `${'x'.repeat(64)}\n`],
    [`${'x'.repeat(63)}\nmore`, `${'x'.repeat(63)}\n`],
    ['é'.repeat(40), `${'é'.repeat(32)}\n`],
    [`x${'é'.repeat(40)}`, `x${'é'.repeat(31)}\n`],
  ])('ends where it would be too long, with a line that says where all of it is', (output, start) => {
    const live = text();
    expect(live.push(Buffer.from(output), FILE)).toBe(`${start}[the output goes on in proc/7/out]\n`);
    expect(live.isOver).toBe(true);
  });

  it('may be as long as the limit', () => {
    const live = text();
    expect(pushAll(live, ['x'.repeat(60), 'yyyy'])).toEqual(['x'.repeat(60), 'yyyy']);
    expect(live.isOver).toBe(false);
    expect(pushAll(live, ['z'])).toEqual(['\n[the output goes on in proc/7/out]\n']);
  });
});
