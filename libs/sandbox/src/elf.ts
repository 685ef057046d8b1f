/** What an ELF file asks the loader for. `searched`: RPATH or RUNPATH entries as they are written. */
export interface ElfNeeds {
  readonly interpreter: string | undefined;
  readonly libraries: readonly string[];
  readonly searched: readonly string[];
}

const PT_LOAD = 1;
const PT_DYNAMIC = 2;
const PT_INTERP = 3;
const DT_NEEDED = 1;
const DT_STRTAB = 5;
const DT_RPATH = 15;
const DT_RUNPATH = 29;
const LITTLE_64 = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
const PROGRAM_HEADER_BYTES = 56;
const DYNAMIC_BYTES = 16;

/** Something lies outside of the file. */
class DamagedFileError extends Error {}

interface Segment {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

/** undefined for anything but a sound little-endian 64-bit ELF file. Nothing of the file is executed. */
export function elfNeeds(bytes: Buffer): ElfNeeds | undefined {
  if (!bytes.subarray(0, LITTLE_64.length).equals(LITTLE_64) || bytes.length < 64) return undefined;
  try {
    return needsIn(bytes, segmentsOf(bytes));
  } catch (error) {
    if (error instanceof DamagedFileError) return undefined;
    throw error;
  }
}

function segmentsOf(bytes: Buffer): readonly Segment[] {
  const start = number(bytes, 32);
  return Array.from({ length: bytes.readUInt16LE(56) }, (_, index) => {
    const at = start + index * PROGRAM_HEADER_BYTES;
    return {
      type: number(bytes, at) % 2 ** 32,
      offset: number(bytes, at + 8),
      address: number(bytes, at + 16),
      size: number(bytes, at + 32),
    };
  });
}

function needsIn(bytes: Buffer, segments: readonly Segment[]): ElfNeeds {
  const entries = dynamicEntries(bytes, segments);
  const table = entries.find(([tag]) => tag === DT_STRTAB)?.[1] ?? 0;
  const strings = offsetOf(table, segments);
  const texts = (wanted: number): readonly string[] =>
    entries.filter(([tag]) => tag === wanted).map(([, value]) => textAt(bytes, strings + value));
  const paths = texts(DT_RUNPATH).length > 0 ? texts(DT_RUNPATH) : texts(DT_RPATH);
  const interpreter = segments.find(({ type }) => type === PT_INTERP);
  return {
    interpreter: interpreter === undefined ? undefined : textAt(bytes, interpreter.offset),
    libraries: texts(DT_NEEDED),
    searched: paths.flatMap((path) => path.split(':')),
  };
}

function dynamicEntries(bytes: Buffer, segments: readonly Segment[]): readonly (readonly [number, number])[] {
  const dynamic = segments.find(({ type }) => type === PT_DYNAMIC);
  if (dynamic === undefined) return [];
  if (dynamic.size > bytes.length) throw new DamagedFileError();
  return Array.from({ length: Math.floor(dynamic.size / DYNAMIC_BYTES) }, (_, index) => {
    const at = dynamic.offset + index * DYNAMIC_BYTES;
    return [number(bytes, at), number(bytes, at + 8)];
  });
}

function offsetOf(address: number, segments: readonly Segment[]): number {
  const load = segments.find(
    (segment) => segment.type === PT_LOAD && address >= segment.address && address < segment.address + segment.size,
  );
  if (load === undefined) return address;
  return address - load.address + load.offset;
}

function textAt(bytes: Buffer, at: number): string {
  const end = at < bytes.length ? bytes.indexOf(0, at) : -1;
  if (end < 0) throw new DamagedFileError();
  return bytes.toString('utf8', at, end);
}

function number(bytes: Buffer, at: number): number {
  if (!Number.isSafeInteger(at) || at + 8 > bytes.length) throw new DamagedFileError();
  return Number(bytes.readBigUInt64LE(at));
}
