import { rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '#model';

/** The kernel takes no longer NAME=value (MAX_ARG_STRLEN, with its final NUL). */
const MAX_VARIABLE_BYTES = 128 * 1024 - 1;
/** All arguments together: the kernel's limit for a whole environment and argument list is about 2 MiB. */
const MAX_TOTAL_BYTES = 1024 * 1024;

/** Arguments as variables. `remove` deletes the files that hold what is too long for a variable. */
export interface ArgumentEnvironment {
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/**
 * OLLIE_ARGS with the JSON of all arguments and OLLIE_ARG_<NAME> with each, as far as they fit. With a directory,
 * a value that does not fit goes to a private file there, named by OLLIE_ARG_<NAME>_FILE.
 */
export function argumentEnvironment(args: JsonObject, directory: string | undefined): ArgumentEnvironment {
  const env: Record<string, string> = {};
  const files: string[] = [];
  let left = MAX_TOTAL_BYTES;
  for (const [key, value] of Object.entries(args)) {
    const name = `OLLIE_ARG_${key.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`;
    const text = argumentText(value);
    const size = Buffer.byteLength(name) + 1 + Buffer.byteLength(text);
    if (size <= MAX_VARIABLE_BYTES && size <= left) {
      env[name] = text;
      left -= size;
    } else if (directory !== undefined) {
      files.push((env[`${name}_FILE`] = privateFile(directory, text)));
    }
  }
  const all = JSON.stringify(args);
  const size = 'OLLIE_ARGS='.length + Buffer.byteLength(all);
  if (size <= MAX_VARIABLE_BYTES && size <= left) env['OLLIE_ARGS'] = all;
  return { env, remove: () => files.forEach((file) => rmSync(file, { force: true })) };
}

/** A text as it is, anything else as JSON. */
export function argumentText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function privateFile(directory: string, text: string): string {
  const file = join(directory, `.argument-${randomBytes(8).toString('hex')}`);
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}
