import type { HereDocument } from '../syntax/statement.js';
import type { Token } from '../syntax/tokens.js';
import { expandDocument, expandText, expandWord } from '../words/expand-word.js';
import type { Shell, WriteMode } from './shell.js';
import { unknownContent } from './unknown-content.js';

interface Output {
  readonly path: string;
  readonly mode: WriteMode;
  /** It takes what the command prints, not what it says on another descriptor. */
  readonly standard: boolean;
}

export interface Redirections {
  readonly stdin: string | undefined;
  readonly outputs: readonly Output[];
}

/** The parts of a command that redirections are read from. */
export interface Written {
  readonly tokens: readonly Token[];
  readonly hereDocuments: readonly HereDocument[];
}

type Redirect = Extract<Token, { type: 'redirect' }>;

/** Follows the redirections of a command, in order. What they require proves nothing: where one fails, the script goes on. */
export function readRedirections(shell: Shell, { tokens, hereDocuments }: Written, stdin: string | undefined): Redirections {
  const redirects = tokens.filter((token) => token.type === 'redirect');
  const { proven } = shell.state;
  let input = stdin;
  for (const redirect of redirects) input = readInput(shell, redirect, input);
  for (const { body, quoted } of hereDocuments) input = quoted ? body : expandDocument(body, shell.environment);
  const outputs = redirects.flatMap((redirect) => outputsOf(shell, redirect));
  shell.state.proven = proven;
  return { stdin: input, outputs };
}

/** Whether a redirection may fail, so that the command is not run at all, and counts as failed. */
export function mayFail(tokens: readonly Token[]): boolean {
  return tokens.some((token) => token.type === 'redirect' && token.target !== '/dev/null' && !isOfDescriptor(token));
}

function isOfDescriptor({ operator, target }: Redirect): boolean {
  return (operator === '>&' || operator === '<&') && /^\d*-?$/.test(target);
}

function readInput(shell: Shell, { operator, target, descriptor }: Redirect, stdin: string | undefined): string | undefined {
  const content = contentOf(shell, operator, target);
  if (content === undefined) return stdin;
  if (descriptor === '' || descriptor === '0') return content;
  shell.session.files.set(`/dev/fd/${descriptor}`, content);
  return stdin;
}

/** What a redirection lets a command read; undefined if it is none, or of a descriptor that nobody opened here. */
function contentOf(shell: Shell, operator: string, target: string): string | undefined {
  if (operator === '<&') return shell.session.files.get(`/dev/fd/${target}`);
  if (operator === '<<<') return `${expandText(target, shell.environment)}\n`;
  if (operator !== '<' && operator !== '<>') return undefined;
  const path = expandText(target, shell.environment);
  if (path === '/dev/stdin') return undefined;
  shell.reportPath({ effect: 'read' }, path);
  return shell.read(path, undefined) ?? unknownContent(shell, path);
}

const WRITES: Readonly<Record<string, WriteMode>> = {
  '>': 'replace',
  '>|': 'replace',
  '&>': 'replace',
  '>&': 'replace',
  '<>': 'edit',
  '>>': 'append',
  '&>>': 'append',
};

function outputsOf(shell: Shell, redirect: Redirect): Output[] {
  const { operator, target, descriptor } = redirect;
  const mode = WRITES[operator];
  if (mode === undefined || isOfDescriptor(redirect)) return [];
  const standard = descriptor === '' || descriptor === '1';
  return expandWord(target, shell.environment).map((path) => ({ path, mode, standard }));
}

/** Writes the output where it goes; gives what is left for the pipe. */
export function applyOutputs(shell: Shell, { outputs }: Redirections, output: string): string {
  for (const { path, mode, standard } of outputs) shell.redirect(path, mode, standard ? output : '');
  return outputs.some(({ standard }) => standard) ? '' : output;
}
