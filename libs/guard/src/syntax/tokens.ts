import { skipWord } from './scan.js';

export type Token =
  | { readonly type: 'word'; readonly raw: string; readonly start: number; readonly end: number }
  | {
      readonly type: 'redirect';
      readonly descriptor: string;
      readonly operator: string;
      readonly target: string;
      readonly start: number;
      readonly end: number;
    }
  | { readonly type: 'operator'; readonly raw: string; readonly start: number; readonly end: number };

const BLANK = /(?:[ \t]|\\\n)+/y;
const COMMENT = /#[^\n]*/y;
const REDIRECT = /(\d+|\{\w+\})?(<<<|<<-|<<|<>|<&|<(?!\()|&>>|&>|>>|>\||>&|>(?!\())/y;
const OPERATOR = /\|\||&&|;;&|;&|;;|\|&|[;&|()\n]/y;

/** Cuts shell text into words, redirections and operators. Knows no grammar and refuses nothing: every text has tokens. */
export function tokenize(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    at = skip(BLANK, text, at);
    at = skip(COMMENT, text, at);
    if (at >= text.length) break;
    const token = redirection(text, at) ?? operator(text, at) ?? word(text, at);
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function skip(pattern: RegExp, text: string, at: number): number {
  return match(pattern, text, at) === undefined ? at : pattern.lastIndex;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function redirection(text: string, start: number): Token | undefined {
  const found = match(REDIRECT, text, start);
  if (found === undefined) return undefined;
  const from = skip(BLANK, text, start + found[0].length);
  const end = skipWord(text, from);
  return { type: 'redirect', descriptor: found[1] ?? '', operator: found[2] ?? '', target: text.slice(from, end), start, end };
}

function operator(text: string, start: number): Token | undefined {
  const found = match(OPERATOR, text, start);
  return found === undefined ? undefined : { type: 'operator', raw: found[0], start, end: start + found[0].length };
}

function word(text: string, start: number): Token {
  const end = Math.max(skipWord(text, start), start + 1);
  return { type: 'word', raw: text.slice(start, end), start, end };
}
