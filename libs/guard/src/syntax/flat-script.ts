import { hereDocument, readBody } from './here-document.js';
import type { HereDocument, Statement } from './statement.js';
import { tokenize, type Token } from './tokens.js';

const RESERVED = new Set([
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'for',
  'do',
  'done',
  'while',
  'until',
  'case',
  'esac',
  'function',
  '{',
  '}',
  '!',
  'time',
  'in',
]);

/** The commands of a text that the grammar could not parse, cut at operators alone: what bash may run before it finds the error, and more. */
export function flatScript(text: string): readonly Statement[] {
  const statements: Statement[] = [];
  let pipeline: Statement[] = [];
  for (const { tokens, after } of commands(text)) {
    const simple = command(text, tokens);
    if (simple !== undefined) pipeline.push(simple);
    if (after === '|' || after === '|&') continue;
    statements.push(...joined(pipeline));
    pipeline = [];
  }
  return [...statements, ...joined(pipeline)];
}

function joined(parts: Statement[]): Statement[] {
  return parts.length > 1 ? [{ type: 'pipeline', parts }] : parts;
}

interface Piece {
  readonly tokens: readonly Token[];
  readonly after: string;
}

function commands(text: string): Piece[] {
  const pieces: Piece[] = [];
  let tokens: Token[] = [];
  let from = 0;
  for (const token of tokenize(text)) {
    if (token.start < from) continue;
    if (token.type !== 'operator') {
      tokens.push(token);
      continue;
    }
    if (token.raw === '\n') from = bodiesEnd(text, tokens, token.end);
    pieces.push({ tokens, after: token.raw });
    tokens = [];
  }
  return [...pieces, { tokens, after: '' }];
}

function bodiesEnd(text: string, tokens: readonly Token[], start: number): number {
  return hereTokens(tokens).reduce((at, { target }) => readBody(text, at, target).next, start);
}

function hereTokens(tokens: readonly Token[]): Extract<Token, { type: 'redirect' }>[] {
  return tokens.filter((token) => token.type === 'redirect').filter(({ operator }) => operator === '<<' || operator === '<<-');
}

function command(text: string, tokens: readonly Token[]): Statement | undefined {
  const first = tokens.findIndex((token) => token.type !== 'word' || !RESERVED.has(token.raw));
  const [start, end] = [tokens[first], tokens.at(-1)];
  if (start === undefined || end === undefined) return undefined;
  const span = { start: start.start, end: end.end };
  const here = hereTokens(tokens);
  const words = tokens.slice(first).filter((token) => !here.some((other) => other === token));
  return {
    type: 'simple',
    text: words.map((token) => text.slice(token.start, token.end)).join(' '),
    span,
    hereDocuments: bodies(text, here, end.end),
  };
}

function bodies(text: string, here: readonly Extract<Token, { type: 'redirect' }>[], end: number): HereDocument[] {
  let at = text.indexOf('\n', end) + 1;
  if (at === 0) return [];
  return here.map(({ target, operator }) => {
    const { body, next } = readBody(text, at, target);
    at = next + 1;
    return hereDocument(target, body, operator);
  });
}
