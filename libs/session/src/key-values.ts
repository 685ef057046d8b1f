import { IllegalInputError } from '#model';

/** The keys of one `new` file. The value of `rest` takes everything that follows it, line ends included. */
export interface Grammar {
  readonly keys: readonly string[];
  readonly rest?: string;
}

export type KeyValues = ReadonlyMap<string, string>;

/** `word=` at the start of what is left, or behind white space inside a value. */
const KEY = /^\s*([A-Za-z]\w*)=/;
const NEXT_KEY = /\s+[A-Za-z]\w*=/;

/**
 * Reads a request in either form of the contract (1.7): several lines with one pair each, or all pairs on one
 * line, where a value ends at the next `word=`. A value may be quoted; an empty one counts as not given.
 * Throws IllegalInputError for an unknown key, a repeated key, and text that is no pair.
 */
export function parseKeyValues(text: string, grammar: Grammar): KeyValues {
  const start = text.trimStart();
  const [first = '', ...others] = start.split('\n');
  const isOneLine = others.every((line) => line.trim() === '') || reachesRest(first, grammar);
  return isOneLine ? parseLine(start, grammar) : parseLines(start, grammar);
}

/** The form with one pair a line, also for a single line. */
export function parseLines(text: string, grammar: Grammar): KeyValues {
  const pairs = new Pairs(grammar);
  let left = text.trimStart();
  while (left !== '') {
    const end = left.includes('\n') ? left.indexOf('\n') : left.length;
    const key = pairs.key(left);
    const value = left.slice(left.indexOf('=') + 1);
    if (key === grammar.rest) return pairs.finish(key, value);
    pairs.set(key, unquoted(left.slice(left.indexOf('=') + 1, end).trim()));
    left = left.slice(end).trimStart();
  }
  return pairs.all;
}

function parseLine(text: string, grammar: Grammar): KeyValues {
  const pairs = new Pairs(grammar);
  let left = text;
  while (left.trim() !== '') {
    const key = pairs.key(left);
    left = left.slice(left.indexOf('=') + 1);
    if (key === grammar.rest) return pairs.finish(key, left);
    const length = valueLength(left);
    pairs.set(key, unquoted(left.slice(0, length).trim()));
    left = left.slice(length);
  }
  return pairs.all;
}

/** True when the line, read as pairs on one line, comes to the key that takes everything else. */
export function reachesRest(line: string, grammar: Grammar): boolean {
  let left = line;
  for (let key = KEY.exec(left)?.[1]; key !== undefined; key = KEY.exec(left)?.[1]) {
    if (key === grammar.rest) return true;
    left = left.slice(left.indexOf('=') + 1);
    left = left.slice(valueLength(left));
  }
  return false;
}

/** How far the value at the start of `text` goes: to its closing quote, else to the next `word=`, else to the end. */
function valueLength(text: string): number {
  const quoted = /^(["']).*?\1(?=\s|$)/s.exec(text)?.[0];
  if (quoted !== undefined) return quoted.length;
  return NEXT_KEY.exec(text)?.index ?? text.length;
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value;
}

/** The pairs read so far; holds the rules that both forms share. */
class Pairs {
  readonly all = new Map<string, string>();
  private readonly seen = new Set<string>();

  constructor(private readonly grammar: Grammar) {}

  /** The key at the start of `text`. */
  key(text: string): string {
    const key = KEY.exec(text)?.[1];
    if (key === undefined) throw new IllegalInputError('argument', text.trim().split('\n')[0] ?? '');
    if (!this.grammar.keys.includes(key)) throw new IllegalInputError('key', key);
    if (this.seen.has(key)) throw new IllegalInputError('argument', `${key} given twice`);
    this.seen.add(key);
    return key;
  }

  set(key: string, value: string): void {
    if (value !== '') this.all.set(key, value);
  }

  finish(key: string, rest: string): KeyValues {
    this.set(key, rest.replace(/\n$/, ''));
    return this.all;
  }
}
