import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import type { DataBuffer } from '#virtfs';

/** Bytes as JSON: their text, or base64 where they are none. */
export function bytesForm(bytes: Uint8Array): JsonValue {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  return Buffer.from(text, 'utf8').equals(buffer) ? text : { base64: buffer.toString('base64') };
}

export function bytesOf(kept: JsonValue | undefined): Buffer {
  if (typeof kept === 'string') return Buffer.from(kept, 'utf8');
  return Buffer.from(isJsonObject(kept) && typeof kept.base64 === 'string' ? kept.base64 : '', 'base64');
}

/** Makes the change that a record tells of: `bytes` written `at` an offset, or a new `length`. */
export function changePlan(plan: DataBuffer, { at, bytes, length }: JsonObject): void {
  if (typeof length === 'number') plan.truncate(length, '');
  else if (typeof at === 'number') plan.write(at, bytesOf(bytes), '');
}
