import { messageOf } from '#config';
import { isParserError } from './parser-error.js';
import { UsageError } from './usage-error.js';

/** How a command line ends. `text` is what is still to be said on stderr. */
export interface CommandEnd {
  readonly code: 0 | 1 | 2;
  readonly text: string;
}

/** What to do about an error, by its errno: said behind the error's own sentence. */
export type Advice = Readonly<Record<string, string>>;

/** What an error of the command line means: help that was asked for is none, and help that was not has been shown already. */
export function commandEnd(program: string, error: unknown, advice: Advice = {}): CommandEnd {
  if (isParserError(error)) return { code: error.exitCode === 0 ? 0 : 2, text: '' };
  const next = nextStep(program, error) ?? advice[posixOf(error)];
  const sentence = next === undefined ? messageOf(error) : `${messageOf(error)}; ${next}`;
  return { code: error instanceof UsageError ? 2 : 1, text: `${program}: ${sentence}\n` };
}

function nextStep(program: string, error: unknown): string | undefined {
  if (!(error instanceof UsageError) || error.explainedBy === undefined) return undefined;
  return ['see', program, error.explainedBy, '--help'].filter((word) => word !== '').join(' ');
}

function posixOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'posix' in error ? String(error.posix) : '';
}
