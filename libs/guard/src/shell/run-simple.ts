import { flatScript } from '../syntax/flat-script.js';
import type { Simple } from '../syntax/statement.js';
import { tokenize, type Token } from '../syntax/tokens.js';
import { expandText, expandWord } from '../words/expand-word.js';
import { choices } from './paths.js';
import { applyOutputs, readRedirections } from './redirections.js';
import type { Shell } from './shell.js';

const ASSIGNMENT = /^([A-Za-z_]\w*)(\[[^\]]*\])?(\+?)=/;
const DECLARATIONS = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
const MAX_VARIANTS = 8;
const NOTHING: ReadonlyMap<string, string> = new Map();

/** Follows one simple command. Gives what it would print past its redirections. */
export function runSimple(outer: Shell, simple: Simple, stdin: string | undefined): string {
  const shell = outer.context.outermost ? outer.within({ span: simple.span }) : outer;
  const tokens = tokenize(simple.text);
  // The grammar takes a line that begins with a backslash for more words of the line before.
  if (tokens.some(({ type }) => type === 'operator')) return shell.within({ outermost: false }).run(flatScript(simple.text), stdin);
  const raws = tokens.flatMap((token) => (token.type === 'word' ? [token.raw] : []));
  const first = raws.findIndex((raw) => !ASSIGNMENT.test(raw));
  const assignments = first < 0 ? raws : raws.slice(0, first);
  const words = first < 0 ? [] : expandWords(shell, raws.slice(first));
  const before = assignments.length === 0 ? NOTHING : new Map(shell.state.variables);
  for (const raw of assignments) assign(shell, raw);
  const redirections = readRedirections(shell, { tokens, hereDocuments: simple.hereDocuments }, stdin);
  const output = words.length === 0 ? readOnly(raws, tokens, redirections.stdin) : runVariants(shell, words, redirections.stdin);
  if (words.length > 0) restore(shell, assignments, before);
  return applyOutputs(shell, redirections, output);
}

/** `name=value command` holds for that command alone. */
function restore({ state }: Shell, assignments: readonly string[], before: ReadonlyMap<string, string>): void {
  for (const raw of assignments) {
    const name = ASSIGNMENT.exec(raw)?.[1] ?? '';
    const value = before.get(name);
    if (value === undefined) state.variables.delete(name);
    else state.variables.set(name, value);
  }
}

/** `$(< file)` is the content of the file. */
function readOnly(raws: readonly string[], tokens: readonly Token[], stdin: string | undefined): string {
  return raws.length === 0 && tokens.every((token) => token.type === 'redirect' && token.operator === '<') ? (stdin ?? '') : '';
}

function expandWords(shell: Shell, raws: readonly string[]): readonly string[] {
  const [name, ...rest] = raws;
  if (name !== undefined && DECLARATIONS.has(name)) {
    for (const raw of rest) declare(shell, rest.includes('-n') ? referred(raw) : raw);
    return [name];
  }
  return raws.flatMap((raw) => expandWord(raw, shell.environment));
}

/** `name=value` is no word that is split, `"name=value"` is a word as any other. */
function declare(shell: Shell, raw: string): void {
  if (ASSIGNMENT.test(raw)) {
    assign(shell, raw);
    return;
  }
  for (const word of expandWord(raw, shell.environment)) {
    const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    if (name !== undefined) shell.environment.assign(name, value);
  }
}

/** A reference (`declare -n a=b`) has the value of what it names. */
function referred(raw: string): string {
  return raw.replace(/=(\w+)$/, '="$$$1"');
}

function runVariants(shell: Shell, words: readonly string[], stdin: string | undefined): string {
  const { unknowns } = shell.session;
  if (unknowns.in(words[0] ?? '').every((unknown) => unknown.choices === undefined)) return shell.arguments(words, stdin);
  const variants = choices(words[0] ?? '', unknowns).slice(0, MAX_VARIANTS);
  return variants.map((name) => shell.arguments([...name.split(/\s+/), ...words.slice(1)], stdin)).join('');
}

/** Carries out `name=value`, `name+=value`, `name=(values)`. */
function assign(shell: Shell, raw: string): void {
  const { state, environment } = shell;
  const found = ASSIGNMENT.exec(raw);
  if (found === null) return;
  const [head, name = '', index, plus] = found;
  const value = raw.slice(head.length);
  if (index !== undefined) expandText(index, environment);
  if (value.startsWith('(') && value.endsWith(')')) assignArray(shell, name, { values: value.slice(1, -1), append: plus !== '' });
  else if (index !== undefined) state.arrays.set(name, [...(state.arrays.get(name) ?? []), expandText(value, environment)]);
  else
    state.variables.set(
      name,
      shell.session.bounded((plus === '' ? '' : (state.variables.get(name) ?? '')) + expandText(value, environment)),
    );
}

interface ArrayValue {
  readonly values: string;
  readonly append: boolean;
}

function assignArray({ state, environment }: Shell, name: string, { values, append }: ArrayValue): void {
  const words = tokenize(values).flatMap((token) =>
    token.type === 'word' ? expandWord(token.raw.replace(/^\[[^\]]*\]=/, ''), environment) : [],
  );
  state.arrays.set(name, append ? [...(state.arrays.get(name) ?? []), ...words] : words);
}
