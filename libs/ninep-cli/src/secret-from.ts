import { readFileSync } from 'node:fs';
import { messageOf } from '#config';
import { CommandError } from './errors.js';

/** The secret that a file holds, without the white space around it. CommandError when it cannot be read. */
export function secretFrom(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`secret file ${file}: ${messageOf(error)}`);
  }
}
