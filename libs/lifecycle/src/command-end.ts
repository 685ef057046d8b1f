import { messageOf } from '#config';
import { UsageError } from './usage-error.js';

/** How a command line ends. `text` is what is still to be said on stderr. */
export interface CommandEnd {
  readonly code: 0 | 1 | 2;
  readonly text: string;
}

/** What to do about an error, by its errno: said behind the error's own sentence. */
export type Advice = Readonly<Record<string, string>>;

/**
 * What an error of the command line means: help that was asked for is none, everything else about options and
 * arguments is a usage error. The parser has already said its own.
 */
export function commandEnd(program: string, error: unknown, advice: Advice = {}): CommandEnd {
  const parser = parserError(error);
  if (parser !== undefined) return { code: parser.exitCode === 0 ? 0 : 2, text: '' };
  const next = advice[posixOf(error)];
  const sentence = next === undefined ? messageOf(error) : `${messageOf(error)}; ${next}`;
  return { code: error instanceof UsageError ? 2 : 1, text: `${program}: ${sentence}\n` };
}

function parserError(error: unknown): { readonly exitCode: unknown } | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error) || !('exitCode' in error)) return undefined;
  return String(error.code).startsWith('commander.') ? { exitCode: error.exitCode } : undefined;
}

function posixOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'posix' in error ? String(error.posix) : '';
}
