import { withoutTornEnd, withoutTornStart } from './torn-characters.js';

describe('a text cut anywhere', () => {
  it.each(['a', 'ü', '€', '😀'])('keeps the whole characters around %s and nothing of a torn one', (character) => {
    const bytes = Buffer.from(`x${character}y`);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const isTorn = cut > 1 && cut < bytes.length - 1;
      const pieces = [withoutTornEnd(bytes.subarray(0, cut)), withoutTornStart(bytes.subarray(cut))];
      expect(pieces.join('')).toBe(isTorn ? 'xy' : `x${character}y`);
    }
  });

  it('keeps what is no UTF-8', () => {
    const noise = Buffer.from([0x80, 0x80, 0x80, 0x80, 0x80]);
    expect([withoutTornEnd(noise), withoutTornStart(noise)]).toEqual([noise, noise]);
    const [nothing, end, start] = [Buffer.alloc(0), withoutTornEnd(Buffer.alloc(0)), withoutTornStart(Buffer.alloc(0))];
    expect([end, start]).toEqual([nothing, nothing]);
  });
});
