/** Pieces of UTF-8 cut anywhere. Bytes that are no UTF-8 anyway stay. The results are views. */

/** Without the first bytes of a character whose rest is missing. */
export function withoutTornEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (!isContinuation(byte)) return widthOf(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Without the last bytes of a character whose start is missing. */
export function withoutTornStart(bytes: Buffer): Buffer {
  const first = bytes.subarray(0, 4).findIndex((byte) => !isContinuation(byte));
  return first > 0 ? bytes.subarray(first) : bytes;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function widthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
