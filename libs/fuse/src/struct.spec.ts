import fc from 'fast-check';
import { entryHead, ioIn, setattrIn } from './protocol.js';
import { Struct } from './struct.js';

describe('a structure of the kernel', () => {
  const sample = new Struct({ small: 'u16', padding: 'u16', middle: 'u32', large: 'u64' });

  it('lays its fields out one after the other, little endian', () => {
    const bytes = sample.encode({ small: 0x0102, middle: 0x03040506, large: 0x0708090a0b0c });
    expect(bytes.toString('hex')).toBe('02010000060504030c0b0a0908070000');
    expect(sample.size).toBe(16);
  });

  it('gives back what was put in', () => {
    const values = fc.record({ small: fc.nat(0xffff), padding: fc.nat(0xffff), middle: fc.nat(0xffffffff), large: fc.maxSafeNat() });
    fc.assert(
      fc.property(values, fc.nat(9), (given, before) => {
        const bytes = Buffer.alloc(before + sample.size);
        sample.write(bytes, before, given);
        expect(sample.decode(bytes, before)).toEqual(given);
      }),
    );
  });

  it('refuses bytes that are too few', () => {
    expect(() => sample.decode(Buffer.alloc(15))).toThrow('out of range');
  });

  it('is as long as the kernel has it', () => {
    expect([entryHead.size, ioIn.size, setattrIn.size]).toEqual([40, 40, 88]);
  });
});
