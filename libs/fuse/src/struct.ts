const WIDTHS = { u16: 2, u32: 4, u64: 8 } as const;

type Layout = Readonly<Record<string, keyof typeof WIDTHS>>;

/** The values of a structure. 64-bit ones above 2^53 lose their last bits. */
export type Values<L extends Layout> = { readonly [K in keyof L]: number };

interface Field<L extends Layout> {
  readonly name: keyof L & string;
  readonly width: keyof typeof WIDTHS;
  readonly at: number;
}

const TWO_32 = 2 ** 32;

/** A C structure of the kernel's interface, little endian as on every machine we run on; padding is a field like others. */
export class Struct<L extends Layout> {
  readonly size: number;
  readonly #fields: readonly Field<L>[];

  constructor(layout: L) {
    let at = 0;
    this.#fields = Object.entries(layout).map(([name, width]) => {
      const field = { name, width, at };
      at += WIDTHS[width];
      return field;
    });
    this.size = at;
  }

  /** RangeError when `bytes` is too short. */
  decode(bytes: Buffer, start = 0): Values<L> {
    const values = Object.fromEntries(this.#fields.map(({ name, width, at }) => [name, read(bytes, width, start + at)]));
    return values as Values<L>; // the fields are the keys of L
  }

  /** What is not given is 0. */
  encode(values: Partial<Values<L>>): Buffer {
    const bytes = Buffer.alloc(this.size);
    this.write(bytes, 0, values);
    return bytes;
  }

  write(bytes: Buffer, start: number, values: Partial<Values<L>>): void {
    for (const { name, width, at } of this.#fields) {
      const value = values[name];
      if (value !== undefined) write(bytes, width, { at: start + at, value });
    }
  }
}

function read(bytes: Buffer, width: keyof typeof WIDTHS, at: number): number {
  if (width === 'u16') return bytes.readUInt16LE(at);
  if (width === 'u32') return bytes.readUInt32LE(at);
  return bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4) * TWO_32;
}

function write(bytes: Buffer, width: keyof typeof WIDTHS, { at, value }: { readonly at: number; readonly value: number }): void {
  if (width === 'u16') bytes.writeUInt16LE(value, at);
  else if (width === 'u32') bytes.writeUInt32LE(value, at);
  else {
    bytes.writeUInt32LE(value % TWO_32, at);
    bytes.writeUInt32LE(Math.floor(value / TWO_32), at + 4);
  }
}
