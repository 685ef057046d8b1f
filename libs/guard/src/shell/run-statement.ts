import { flatScript } from '../syntax/flat-script.js';
import type { Branch, Statement } from '../syntax/statement.js';
import { tokenize } from '../syntax/tokens.js';
import { expandWord } from '../words/expand-word.js';
import { isEndless, reportEndless } from './endless-loop.js';
import { mergeStates } from './merge-states.js';
import { applyOutputs, readRedirections } from './redirections.js';
import { runSimple } from './run-simple.js';
import { selected } from './selected.js';
import type { Shell } from './shell.js';

const MAX_ITERATIONS = 24;

/** Follows a statement. Gives what it would print. */
export function runStatement(shell: Shell, statement: Statement, stdin: string | undefined): string {
  shell.session.step();
  return isCompound(statement) ? runCompound(shell, statement, stdin) : runPlain(shell, statement, stdin);
}

type Compound = Extract<Statement, { type: 'if' | 'case' | 'while' | 'for' | 'endless-for' }>;

function isCompound(statement: Statement): statement is Compound {
  return ['if', 'case', 'while', 'for', 'endless-for'].includes(statement.type);
}

function runPlain(shell: Shell, statement: Exclude<Statement, Compound>, stdin: string | undefined): string {
  switch (statement.type) {
    case 'simple':
      return runSimple(shell, statement, stdin);
    case 'test':
      return runTest(shell, statement.text);
    case 'pipeline':
      return runPipeline(shell, statement.parts, stdin);
    case 'and-or':
      return runAndOr(shell, statement.parts, stdin);
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
  switch (statement.type) {
    case 'if':
      return runBranches(shell, statement.branches, stdin);
    case 'case':
      expandWord(statement.subject, shell.environment);
      return runBranches(shell, statement.branches, stdin);
    case 'while':
      return runWhile(shell, statement, stdin);
    case 'for':
      return runFor(shell, statement, stdin);
    case 'endless-for':
      reportEndless(shell, statement.body);
      return shell.run(statement.body, stdin);
  }
}

/** Only the substitutions in a test can do anything. */
function runTest(shell: Shell, text: string): string {
  for (const token of tokenize(text)) {
    const raw = token.type === 'redirect' ? token.target : token.raw;
    if (/[$`]/.test(raw)) expandWord(raw, shell.environment);
  }
  return '';
}

function runPipeline(shell: Shell, parts: readonly Statement[], stdin: string | undefined): string {
  let flowing = stdin;
  for (const part of parts) flowing = runStatement(shell.subshell({ forks: shell.context.forks + 1 }), part, flowing);
  return flowing ?? '';
}

function runAndOr(shell: Shell, [first, ...rest]: readonly Statement[], stdin: string | undefined): string {
  let output = first === undefined ? '' : runStatement(shell, first, stdin);
  const maybe = shell.within({ conditions: shell.context.conditions + 1 });
  for (const part of rest) output += runStatement(maybe, part, stdin);
  return output;
}

function runBranches(shell: Shell, branches: readonly Branch[], stdin: string | undefined): string {
  const ends = [];
  let output = '';
  const sure = branches.length === 1 && isTrue(branches[0]?.condition ?? []);
  for (const { condition, body } of branches) {
    output += shell.run(condition, stdin);
    const branch = shell.subshell({ conditions: shell.context.conditions + (sure ? 0 : 1) });
    output += branch.run(body, stdin);
    ends.push(branch.state);
  }
  mergeStates(shell, ends, !sure);
  return output;
}

function isTrue([first]: readonly Statement[]): boolean {
  return first?.type === 'simple' && /^(true|:)$/.test(first.text);
}

function runWhile(shell: Shell, statement: Extract<Statement, { type: 'while' }>, stdin: string | undefined): string {
  const endless = isEndless(statement);
  if (endless) reportEndless(shell, statement.branch.body);
  const inside = endless ? shell : shell.within({ conditions: shell.context.conditions + 1 });
  return inside.run(statement.branch.condition, stdin) + inside.run(statement.branch.body, stdin);
}

function runFor(shell: Shell, statement: Extract<Statement, { type: 'for' }>, stdin: string | undefined): string {
  const values = selected(loopValues(shell, statement.words), MAX_ITERATIONS);
  const sure = values.length > 0 && values.every((value) => !/[\ue000-\uf8ff]/.test(value));
  const inside = sure ? shell : shell.within({ conditions: shell.context.conditions + 1 });
  let output = '';
  for (const value of values) {
    shell.state.variables.set(statement.variable, value);
    output += inside.run(statement.body, stdin);
  }
  return output;
}

/** The words of a loop are never empty: a variable that is not set makes none. */
function loopValues(shell: Shell, words: string | undefined): readonly string[] {
  const { environment, session } = shell;
  const values =
    words === undefined
      ? (environment.list('@') ?? [])
      : tokenize(words).flatMap((token) => (token.type === 'word' ? expandWord(token.raw, environment) : []));
  return values.map((value) => {
    const [unknown] = session.unknowns.in(value);
    return value.length === 1 && unknown !== undefined ? session.unknowns.add({ ...unknown, empty: 'never' }) : value;
  });
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
  const output = applyOutputs(shell, found, runStatement(shell, body, found.stdin));
  if (end === undefined) return output;
  // The grammar takes a line that begins with a backslash for more words of the line before.
  return output + shell.within({ outermost: false, span: redirections.span }).run(flatScript(redirections.text.slice(end.end)), stdin);
}
