/** The types that our members use: text, object path, unsigned 64-bit number. */
export type BusType = 's' | 'o' | 't';

/** Longest text in a reply or a signal, in bytes; what is longer is cut. */
const MAX_TEXT_BYTES = 1024 * 1024;
const OBJECT_PATH = /^\/$|^(\/[A-Za-z0-9_]+)+$/;
const MAX_UINT64 = 2n ** 64n - 1n;

/**
 * Values that the bus takes, whatever is in them: one wrong byte in a text, or a path that is none, and it hangs up on
 * whoever sent it. Throws for what no text can mend, which is a bug.
 */
export function guardedBody(types: readonly BusType[], values: readonly unknown[]): readonly unknown[] {
  if (types.length !== values.length) throw new Error(`dbus: ${String(values.length)} values for ${types.join('')}`);
  return types.map((type, index) => guarded(type, values[index]));
}

/** Without NUL and half characters, and at most `maxBytes` long. */
export function guardedText(text: string, maxBytes = MAX_TEXT_BYTES): string {
  const whole = text.replaceAll('\0', '\ufffd');
  const bytes = Buffer.from(whole, 'utf8'); // a lone surrogate becomes U+FFFD
  if (bytes.length <= maxBytes) return bytes.toString('utf8');
  let end = maxBytes - Buffer.byteLength('…');
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString('utf8', 0, end)}…`;
}

function guarded(type: BusType, value: unknown): unknown {
  if (type === 's' && typeof value === 'string') return guardedText(value);
  if (type === 'o' && typeof value === 'string' && OBJECT_PATH.test(value)) return value;
  if (type === 't' && typeof value === 'bigint' && value >= 0n && value <= MAX_UINT64) return value;
  throw new Error(`dbus: ${String(value)} is no ${type}`);
}
