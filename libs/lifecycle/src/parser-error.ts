import { UsageError } from './usage-error.js';

/** What commander throws. `exitCode` is 0 for help or a version that was asked for. */
export interface ParserError {
  readonly code: unknown;
  readonly exitCode: unknown;
}

export function isParserError(error: unknown): error is ParserError {
  return (
    typeof error === 'object' && error !== null && 'exitCode' in error && 'code' in error && String(error.code).startsWith('commander.')
  );
}

/** Throws what commander found wrong as a UsageError of one line; an end with a help text is thrown on as it is. */
export function throwUsageError(error: Error, subcommand: string): never {
  if (!isParserError(error) || error.exitCode === 0 || error.code === 'commander.help') throw error;
  const sentence = error.message.replace(/^error: /, '').replace(/\.$/, '');
  throw new UsageError(sentence.replaceAll('\n', ' '), subcommand);
}
