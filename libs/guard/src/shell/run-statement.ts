import { flatScript } from '../syntax/flat-script.js';
import type { Simple, Statement } from '../syntax/statement.js';
import { tokenize } from '../syntax/tokens.js';
import { expandWord } from '../words/expand-word.js';
import { LEFT, NOTHING, UNKNOWN, type Status } from './proof.js';
import { applyOutputs, mayFail, readRedirections } from './redirections.js';
import { runAndOr } from './run-and-or.js';
import { runBranches } from './run-branches.js';
import { runLoop } from './run-loop.js';
import { runSimple } from './run-simple.js';
import type { Shell } from './shell.js';
import { negated, testStatus } from './test-status.js';

/** Follows a statement. Gives what it would print. */
export function runStatement(shell: Shell, statement: Statement, stdin: string | undefined): string {
  shell.session.step();
  shell.state.status = UNKNOWN;
  return isCompound(statement) ? runCompound(shell, statement, stdin) : runPlain(shell, statement, stdin);
}

type Compound = Extract<Statement, { type: 'if' | 'case' | 'while' | 'for' | 'endless-for' }>;

function isCompound(statement: Statement): statement is Compound {
  return ['if', 'case', 'while', 'for', 'endless-for'].includes(statement.type);
}

function runPlain(shell: Shell, statement: Exclude<Statement, Compound>, stdin: string | undefined): string {
  switch (statement.type) {
    case 'simple':
      return runCommand(shell, statement, stdin);
    case 'test':
      return runTest(shell, statement.text);
    case 'pipeline':
      return runPipeline(shell, statement.parts, stdin);
    case 'and-or':
      return runAndOr(shell, statement, stdin);
    case 'negated':
      return runNegated(shell, statement.body, stdin);
    case 'background':
      return runStatement(shell.subshell({ forks: shell.context.forks + 1 }), statement.body, stdin);
    case 'block':
      return (statement.subshell ? shell.subshell() : shell).run(statement.body, stdin);
    case 'redirected':
      return runRedirected(shell, statement, stdin);
    case 'function':
      shell.state.functions.set(statement.name, statement.body);
      return '';
  }
}

function runCompound(shell: Shell, statement: Compound, stdin: string | undefined): string {
  if (statement.type === 'case') expandWord(statement.subject, shell.environment);
  const output =
    statement.type === 'if' || statement.type === 'case' ? runBranches(shell, statement, stdin) : runLoop(shell, statement, stdin);
  shell.state.status = UNKNOWN;
  return output;
}

function runCommand(shell: Shell, simple: Simple, stdin: string | undefined): string {
  const output = runSimple(shell, simple, stdin);
  const status = ownStatus(shell, simple.text);
  if (status !== undefined) shell.state.status = status;
  return output;
}

/** `exit` with more than a number does not end the script, `return` outside of a function does not either. */
function ownStatus(shell: Shell, text: string): Status | undefined {
  if (/^(?:test|\[)\s/.test(text)) return testStatus(shell, text);
  const leaving = /^(exit|return)(?:\s+(?:\d+|"?\$[\w?]+"?))?$/.exec(text)?.[1];
  if (leaving === undefined || shell.state.functions.has(leaving)) return undefined;
  return leaving === 'exit' || shell.context.active.length > 0 ? LEFT : undefined;
}

/** Only the substitutions in a test can do anything. */
function runTest(shell: Shell, text: string): string {
  for (const token of tokenize(text)) {
    const raw = token.type === 'redirect' ? token.target : token.raw;
    if (/[$`]/.test(raw)) expandWord(raw, shell.environment);
  }
  shell.state.status = testStatus(shell, text);
  return '';
}

function runPipeline(shell: Shell, parts: readonly Statement[], stdin: string | undefined): string {
  let flowing = stdin;
  for (const part of parts) flowing = runStatement(shell.subshell({ forks: shell.context.forks + 1 }), part, flowing);
  return flowing ?? '';
}

function runNegated(shell: Shell, body: Statement, stdin: string | undefined): string {
  const output = runStatement(shell, body, stdin);
  shell.state.status = negated(shell.state.status);
  return output;
}

function runRedirected(
  shell: Shell,
  { body, redirections }: Extract<Statement, { type: 'redirected' }>,
  stdin: string | undefined,
): string {
  const tokens = tokenize(redirections.text);
  const end = tokens.find(({ type }) => type === 'operator');
  const own = end === undefined ? tokens : tokens.slice(0, tokens.indexOf(end));
  const found = readRedirections(shell, { tokens: own, hereDocuments: redirections.hereDocuments }, stdin);
  const { proven } = shell.state;
  const output = applyOutputs(shell, found, runStatement(shell, body, found.stdin));
  if (mayFail(own)) {
    shell.state.proven = proven;
    shell.state.status = { ...shell.state.status, failure: NOTHING };
  }
  if (end === undefined) return output;
  // The grammar takes a line that begins with a backslash for more words of the line before.
  return output + shell.within({ outermost: false, span: redirections.span }).run(flatScript(redirections.text.slice(end.end)), stdin);
}
