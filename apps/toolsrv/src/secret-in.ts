import { readFileSync } from 'node:fs';
import { messageOf } from '#config';
import { UsageError } from '#lifecycle';

const MAX_SECRET_BYTES = 256;

/** What a file holds, without the white space around it: 1 to 256 bytes. Throws UsageError that names `option`. */
export function secretIn(option: string, file: string): string {
  const secret = contentOf(option, file).trim();
  if (secret === '') throw new UsageError(`${option}: ${file} is empty`);
  if (Buffer.byteLength(secret) > MAX_SECRET_BYTES) throw new UsageError(`${option}: ${file} has more than ${MAX_SECRET_BYTES} bytes`);
  return secret;
}

function contentOf(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${option}: ${messageOf(error)}`);
  }
}
