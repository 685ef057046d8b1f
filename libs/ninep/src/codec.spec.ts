import fc from 'fast-check';
import { decodeMessage, encodeMessage } from './codec.js';
import { ninep2000, ninep2000L, type Dialect, type MessageShape } from './dialect.js';
import { NinepError } from './errors.js';
import type { Fcall } from './fcall.js';

const u8 = fc.nat(0xff);
const u16 = fc.nat(0xffff);
const u32 = fc.nat(0xffffffff);
const u64 = fc.maxSafeNat();
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const qid = fc.record({ type: u8, version: u32, path: u64 });
const data = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const keep64 = fc.oneof(u64, fc.constant(-1));
const stat = fc.record({
  type: u16,
  dev: u32,
  qid: fc.record({ type: u8, version: u32, path: keep64 }),
  mode: u32,
  atime: u32,
  mtime: u32,
  length: keep64,
  name: text,
  uid: text,
  gid: text,
  muid: text,
});

/** What each field of any message may hold, by its name. */
const byField: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  msize: u32,
  version: text,
  afid: u32,
  fid: u32,
  newfid: u32,
  uname: text,
  aname: text,
  aqid: qid,
  qid,
  ename: text,
  oldtag: u16,
  names: fc.array(text, { maxLength: 16 }),
  qids: fc.array(qid, { maxLength: 16 }),
  mode: u8,
  iounit: u32,
  name: text,
  perm: u32,
  offset: u64,
  count: u32,
  data,
  stat,
  target: text,
  client: text,
  from: text,
  to: text,
  kind: u8,
  status: u8,
};

const dialects: readonly Dialect[] = [ninep2000, ninep2000L];
const shapes = dialects.flatMap((dialect) => [...dialect.byType.values()].map((shape) => ({ dialect, shape, ...dialect, ...shape })));

function anyOf({ type, fields }: MessageShape): fc.Arbitrary<Fcall> {
  const values = fields.map(([name]) => [name, byField[name] ?? (name.endsWith('Ns') ? u64 : u32)] as const);
  const model: Record<string, fc.Arbitrary<unknown>> = { type: fc.constant(type), tag: u16, ...Object.fromEntries(values) };
  return fc.record(model) as fc.Arbitrary<Fcall>;
}

const anyMessage = fc.oneof(...shapes.map(({ dialect, shape }) => anyOf(shape).map((message) => ({ dialect, message }))));
const anyDialect = fc.constantFrom(...dialects);

describe('the codec', () => {
  it.each(shapes)('reads $type of $version as it was written', ({ dialect, shape }) => {
    fc.assert(
      fc.property(anyOf(shape), (message) => {
        const frame = encodeMessage(message, dialect);
        expect(frame.readUInt32LE(0)).toBe(frame.length);
        expect(decodeMessage(frame, dialect)).toEqual(message);
      }),
    );
  });

  it('throws nothing but NinepError, whatever the bytes', () => {
    const number = fc.constantFrom(...shapes.map(({ number: known }) => known));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 120 }), fc.option(number), anyDialect, (bytes, type, dialect) => {
        const frame = Buffer.from(bytes);
        if (frame.length >= 7) {
          frame.writeUInt32LE(frame.length, 0);
          if (type !== null) frame.writeUInt8(type, 4);
        }
        expectMessageOrNinepError(frame, dialect);
      }),
      { numRuns: 2000 },
    );
  });

  it('throws nothing but NinepError when one byte of a message is wrong or its end is missing', () => {
    const damage = fc.record({ sent: anyMessage, at: fc.nat(1000), byte: u8, cut: fc.nat(3) });
    fc.assert(
      fc.property(damage, ({ sent: { message, dialect }, at, byte, cut }) => {
        const frame = encodeMessage(message, dialect);
        const kept = frame.subarray(0, frame.length - cut);
        kept.writeUInt8(byte, at % kept.length);
        expectMessageOrNinepError(kept, dialect);
      }),
      { numRuns: 2000 },
    );
  });

  it('never takes a longer or shorter frame for the message', () => {
    fc.assert(
      fc.property(anyMessage, fc.uint8Array({ minLength: 1, maxLength: 5 }), ({ dialect, message }, rest) => {
        const frame = Buffer.concat([encodeMessage(message, dialect), rest]);
        frame.writeUInt32LE(frame.length, 0);
        expect(() => decodeMessage(frame, dialect)).toThrow(NinepError);
      }),
    );
  });

  it('saturates offsets and lengths beyond 2^53-1 and never rounds', () => {
    const read = { type: 'Tread', tag: 1, fid: 1, offset: Number.MAX_SAFE_INTEGER, count: 1 } as const;
    const frame = encodeMessage(read);
    for (const beyond of [2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n]) {
      frame.writeBigUInt64LE(beyond, 11);
      expect(decodeMessage(frame)).toEqual(read);
    }
    frame.writeBigUInt64LE(2n ** 53n - 2n, 11);
    expect(decodeMessage(frame)).toEqual({ ...read, offset: Number.MAX_SAFE_INTEGER - 1 });
  });

  it('refuses texts and stats that are too long for their length fields', () => {
    const long = 'x'.repeat(0x10000);
    expect(() => encodeMessage({ type: 'Rerror', tag: 1, ename: long })).toThrow(NinepError);
    const part = long.slice(0, 30_000);
    const entry = {
      type: 0,
      dev: 0,
      qid: { type: 0, version: 0, path: 0 },
      mode: 0,
      atime: 0,
      mtime: 0,
      length: 0,
      name: part,
      uid: part,
      gid: part,
      muid: '',
    };
    expect(() => encodeMessage({ type: 'Rstat', tag: 1, stat: entry })).toThrow(NinepError);
  });

  it('cuts an error text to what fits the smallest message, between characters', () => {
    const failure = ninep2000.failure(1, { message: `x${'é'.repeat(200)}`, posix: 'EIO' });
    expect(failure).toEqual({ type: 'Rerror', tag: 1, ename: `x${'é'.repeat(119)}` });
    expect(ninep2000.failure(1, { message: 'short', posix: 'EIO' })).toEqual({ type: 'Rerror', tag: 1, ename: 'short' });
  });
});

/** A message of a known type or a NinepError. */
function expectMessageOrNinepError(frame: Buffer, dialect: Dialect): void {
  expect([NinepError.name, ...dialect.byType.keys()]).toContain(outcomeOf(frame, dialect));
}

function outcomeOf(frame: Buffer, dialect: Dialect): string {
  try {
    return decodeMessage(frame, dialect).type;
  } catch (error) {
    return error instanceof Error ? error.name : String(error);
  }
}
