import { MARK } from './unknown.js';

type Piece =
  | { readonly type: 'any' }
  | { readonly type: 'one' }
  | { readonly type: 'set'; readonly inside: string; readonly not: boolean }
  | { readonly type: 'character'; readonly character: string };

const MAX_PATTERN = 256;
const MAX_CACHED = 2000;
const cache = new Map<string, readonly Piece[]>();

/** Whether the whole text is one that the shell pattern (in its marked or its plain form) means. Takes pattern times text steps at most. */
export function globMatches(pattern: string, text: string): boolean {
  if (pattern === text) return true;
  return piecesMatch(pieces(pattern), text);
}

function pieces(pattern: string): readonly Piece[] {
  const known = cache.get(pattern);
  if (known !== undefined) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const made = compile(pattern.slice(0, MAX_PATTERN));
  cache.set(pattern, made);
  return made;
}

function compile(pattern: string): readonly Piece[] {
  const made: Piece[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const here = pattern[at] ?? '';
    const close = here === '[' || here === MARK.set ? pattern.indexOf(']', at + 2) : -1;
    if (here === '*' || here === MARK.star) made.push({ type: 'any' });
    else if (here === '?' || here === MARK.one) made.push({ type: 'one' });
    else if (close > 0) {
      const not = /^[!^]/.test(pattern.slice(at + 1, close));
      made.push({ type: 'set', inside: pattern.slice(at + (not ? 2 : 1), close), not });
      at = close;
    } else made.push({ type: 'character', character: here });
  }
  return made;
}

function piecesMatch(all: readonly Piece[], text: string): boolean {
  let [at, piece, star, retry] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = all[piece];
    if (wanted?.type === 'any') {
      star = piece;
      retry = at;
      piece += 1;
    } else if (wanted !== undefined && takes(wanted, text[at] ?? '')) {
      at += 1;
      piece += 1;
    } else if (star >= 0) {
      piece = star + 1;
      retry += 1;
      at = retry;
    } else return false;
  }
  return all.slice(piece).every(({ type }) => type === 'any');
}

function takes(piece: Exclude<Piece, { type: 'any' }> | Piece, character: string): boolean {
  if (piece.type === 'character') return piece.character === character;
  return piece.type === 'set' ? inSet(piece.inside, character) !== piece.not : true;
}

function inSet(inside: string, character: string): boolean {
  for (let at = 0; at < inside.length; at += 1) {
    if (inside[at + 1] === '-' && at + 2 < inside.length) {
      if (character >= (inside[at] ?? '') && character <= (inside[at + 2] ?? '')) return true;
      at += 2;
    } else if (inside[at] === character) return true;
  }
  return inside.startsWith('[:') && /\w/.test(character);
}

/** Turns wildcards of unquoted text into their marked, active form. */
export function activate(text: string): string {
  return /[*?[]/.test(text) ? text.replaceAll('*', MARK.star).replaceAll('?', MARK.one).replaceAll('[', MARK.set) : text;
}
