import { messageOf } from '#config';
import { UsageError } from './usage-error.js';

/** How a command line ends. `text` is what is still to be said on stderr. */
export interface CommandEnd {
  readonly code: 0 | 1 | 2;
  readonly text: string;
}

/**
 * What an error of the command line means: help that was asked for is none, everything else about options and
 * arguments is a usage error. The parser has already said its own.
 */
export function commandEnd(program: string, error: unknown): CommandEnd {
  const parser = parserError(error);
  if (parser !== undefined) return { code: parser.exitCode === 0 ? 0 : 2, text: '' };
  return { code: error instanceof UsageError ? 2 : 1, text: `${program}: ${messageOf(error)}\n` };
}

function parserError(error: unknown): { readonly exitCode: unknown } | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('exitCode' in error)) return undefined;
  return String(error.code).startsWith('commander.') ? { exitCode: error.exitCode } : undefined;
}
