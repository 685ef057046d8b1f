import { TooCostly } from '../errors.js';

const MAX_DEPTH = 200;

/** Index after the quoted or bracketed part that begins at `at`, or `at` if none begins there. Throws TooCostly for too many in one another. */
export function skipGroup(text: string, at: number, depth = 0): number {
  if (depth > MAX_DEPTH) throw new TooCostly('too-complex');
  const here = text[at];
  if (here === '\\') return Math.min(at + 2, text.length);
  if (here === "'") return after(text, "'", at + 1);
  if (here === '"') return skipDouble(text, at + 1, depth);
  if (here === '`') return skipBackquote(text, at + 1);
  return here === '$' ? skipDollar(text, at, depth) : at;
}

function skipDollar(text: string, at: number, depth: number): number {
  const next = text[at + 1];
  if (next === '(') return skipNested(text, at + 2, { pair: '()', depth });
  if (next === '{') return skipNested(text, at + 2, { pair: '{}', depth });
  if (next === "'") return skipAnsi(text, at + 2);
  return next === '"' ? skipDouble(text, at + 2, depth) : at;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + 1;
}

function skipAnsi(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === "'") return at + 1;
  }
  return text.length;
}

function skipBackquote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '`') return at + 1;
  }
  return text.length;
}

function skipDouble(text: string, from: number, depth: number): number {
  let at = from;
  while (at < text.length) {
    if (text[at] === '"') return at + 1;
    const next = text[at] === "'" || text.startsWith("$'", at) || text.startsWith('$"', at) ? at : skipGroup(text, at, depth + 1);
    at = next > at ? next : at + 1;
  }
  return at;
}

/** Index after the parenthesis that closes one opened just before `from`. */
export function skipParentheses(text: string, from: number): number {
  return skipNested(text, from, { pair: '()', depth: 0 });
}

interface Nesting {
  readonly pair: string;
  /** How many groups lie around. */
  readonly depth: number;
}

function skipNested(text: string, from: number, { pair, depth }: Nesting): number {
  const cases: number[] = [];
  let open = 1;
  let at = from;
  while (at < text.length) {
    const next = skipGroup(text, at, depth + 1);
    if (next > at) {
      at = next;
      continue;
    }
    if (startsCase(text, at)) cases.push(open);
    else if (text.startsWith('esac', at)) cases.pop();
    if (text[at] === pair[0]) open += 1;
    if (text[at] === pair[1] && cases.at(-1) !== open) open -= 1;
    at += 1;
    if (open === 0) return at;
  }
  return at;
}

/** In a `case`, a parenthesis ends a pattern. */
function startsCase(text: string, at: number): boolean {
  return text.startsWith('case', at) && /^case\s+\S+\s+in\s/.test(text.slice(at, at + 200)) && !/[\w-]/.test(text[at - 1] ?? ' ');
}

/** `name=(` begins an array, `!(` and its like a pattern. */
const OPENS_IN_WORD = /^\w+(\[[^\]]*\])?\+?=$|[?*+@!]$/;

const WORD_END = /[ \t\n;&|<>()]/;

/** Index after the word that begins at `from`; `from` itself if none does. */
export function skipWord(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const next = skipWordPart(text, at, from);
    if (next === at) break;
    at = next;
  }
  return at;
}

function skipWordPart(text: string, at: number, start: number): number {
  const group = skipGroup(text, at);
  if (group > at) return group;
  const here = text[at] ?? '';
  if ((here === '<' || here === '>') && text[at + 1] === '(') return skipParentheses(text, at + 2);
  if (here === '(' && at > start && OPENS_IN_WORD.test(text.slice(start, at))) return skipParentheses(text, at + 1);
  return WORD_END.test(here) ? at : at + 1;
}
