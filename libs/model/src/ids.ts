import { randomBytes } from 'node:crypto';

const ID = /^[0-9]{13,19}-[0-9a-f]{6}$/;
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const RESERVED_NAMES: ReadonlySet<string> = new Set(['new', 'idx']);

let lastNanoseconds = 0n;

/** `<19-digit unix nanoseconds>-<6 hex>`: unique, and sorts by creation within this process. */
export function newId(): string {
  const now = BigInt(Date.now()) * 1_000_000n + (process.hrtime.bigint() % 1_000_000n);
  lastNanoseconds = now > lastNanoseconds ? now : lastNanoseconds + 1n;
  return `${lastNanoseconds.toString().padStart(19, '0')}-${randomBytes(3).toString('hex')}`;
}

/** True for ids of this form and for the 13-digit form of older files. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** True for a name that a session or agent may carry (contract 1.7). */
export function isName(text: string): boolean {
  return NAME.test(text) && !RESERVED_NAMES.has(text);
}
