import { constants } from 'node:os';
import { IllegalInputError } from '#model';

const MAX_SIGNAL = 64;

/** `15`, `TERM`, `SIGTERM` or `term` as a number. Throws IllegalInputError for anything else. */
export function signalNumber(text: string): number {
  const word = text.trim();
  if (/^\d{1,2}$/.test(word) && Number(word) >= 1 && Number(word) <= MAX_SIGNAL) return Number(word);
  const name = word.toUpperCase();
  const known = Object.entries(constants.signals).find(([signal]) => signal === name || signal === `SIG${name}`);
  if (known === undefined) throw new IllegalInputError('argument', `signal ${text}`.trimEnd());
  return known[1];
}
