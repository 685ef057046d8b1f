import fc from 'fast-check';
import { encodeMessage, type Dialect, type Fcall } from '#ninep';

/** The tags that generated frames use. */
export const TAGS = 24;

const evil = ['', '.', '..', '/', 'a/b', 'a\0b', '__proto__', 'constructor', 'x'.repeat(300)];
const known = ['who', 'prompt', 'plan', 'ctl', 'wait', 'log', 'ask', 'child', 'one', 'two'];
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: fc.constantFrom(...evil) });
const small = fc.nat(6);
const tag = fc.nat(TAGS - 1);
const u32 = fc.oneof(small, fc.nat(0xffffffff), fc.constantFrom(0xffffffff, 0x80000000));
const u64 = fc.oneof(fc.nat(100), fc.maxSafeNat(), fc.constant(Number.MAX_SAFE_INTEGER));
const qid = fc.record({ type: fc.nat(255), version: u32, path: u64 });
const data = fc.oneof(
  fc.constantFrom('stop\n', 'kill\n', 'help', 'x=y\n', '').map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
);
const keep = <T>(untouched: T, value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(untouched) }, { weight: 1, arbitrary: value });
const stat = fc.record({
  type: keep(0xffff, fc.nat(0xffff)),
  dev: keep(0xffffffff, u32),
  qid: fc.constant({ type: 0xff, version: 0xffffffff, path: -1 }),
  mode: keep(0xffffffff, u32),
  atime: keep(0xffffffff, u32),
  mtime: keep(0xffffffff, u32),
  length: keep(-1, u64),
  name: keep('', name),
  uid: keep('', name),
  gid: keep('', name),
  muid: keep('', name),
});

/** What a field of a generated message may hold, by its name; anything else is a number. */
const byField: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  tag,
  oldtag: tag,
  ...Object.fromEntries(['fid', 'newfid', 'dfid', 'fromFid', 'toFid', 'afid'].map((field) => [field, small])),
  names: fc.array(name, { maxLength: 18 }),
  mode: fc.oneof(fc.constantFrom(0, 1, 2, 0x10, 0x11, 0x12), fc.nat(0xff)),
  flags: fc.oneof(fc.constantFrom(0, 1, 2, 0x200, 0o1001, 0o200000, 0o100101), u32),
  count: fc.oneof(fc.nat(9000), u32),
  kind: fc.nat(4),
  ...Object.fromEntries(['name', 'uname', 'aname', 'version', 'target', 'client', 'from', 'to', 'ename'].map((field) => [field, name])),
  ...Object.fromEntries(['offset', 'size', 'start', 'length', 'mask'].map((field) => [field, u64])),
  data,
  stat,
  qid,
  aqid: qid,
  qids: fc.array(qid, { maxLength: 3 }),
};

/** One frame of a right size: a message that makes sense in a small world, and now and then a damaged one. Never a Tversion. */
export function anyFrame(dialect: Dialect): fc.Arbitrary<Buffer> {
  const types = [...dialect.byType.values()].filter(({ type }) => type.startsWith('T') && type !== 'Tversion');
  const messages = types.map(({ type, fields }) => {
    const values = fields.map(([field]) => [field, byField[field] ?? u32] as const);
    return fc.record({ type: fc.constant(type), tag, ...Object.fromEntries(values) }) as unknown as fc.Arbitrary<Fcall>;
  });
  const whole = fc.oneof(...messages).map((message) => encodeMessage(message, dialect));
  const damage = fc.record({ frame: whole, at: fc.nat(400), byte: fc.nat(255), cut: fc.nat(3) });
  const noise = fc.record({ type: fc.nat(255), tag, body: fc.uint8Array({ maxLength: 60 }) });
  return fc.oneof(
    { weight: 8, arbitrary: whole },
    { weight: 1, arbitrary: damage.map(damaged) },
    {
      weight: 1,
      arbitrary: noise.map(({ type, tag: number, body }) => sized(Buffer.concat([Buffer.from([0, 0, 0, 0, type, number, 0]), body]))),
    },
  );
}

/** A byte behind the tag is wrong, or bytes at the end are missing. */
function damaged({ frame, at, byte, cut }: { frame: Buffer; at: number; byte: number; cut: number }): Buffer {
  const kept = Buffer.from(frame.subarray(0, Math.max(7, frame.length - cut)));
  if (kept.length > 7) kept.writeUInt8(byte, 7 + (at % (kept.length - 7)));
  return sized(kept);
}

const TVERSION = 100;

function sized(frame: Buffer): Buffer {
  frame.writeUInt32LE(frame.length, 0);
  if (frame[4] === TVERSION) frame.writeUInt8(0, 4);
  return frame;
}
