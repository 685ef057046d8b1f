import { parseArgs, type ParseArgsConfig } from 'node:util';
import { messageOf } from '#config';
import { UsageError } from './errors.js';

/** Node's parseArgs with words between the options. Throws UsageError with the first sentence of what Node finds wrong. */
export function parseOptions<const T extends NonNullable<ParseArgsConfig['options']>>(argv: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    const [sentence = ''] = messageOf(error).split(/[.\n]\s*(?=[A-Z]|$)/);
    throw new UsageError(sentence.replace(/^[A-Z]/, (letter) => letter.toLowerCase()));
  }
}
