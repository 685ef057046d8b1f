import type { Place } from '../place.js';

const PATTERN = /^\/(.*)\/([a-z]*)$/s;

/** A test of text: `/re/flags`, or plain text that must occur in it. Gives the match with its groups, or undefined. */
export interface Matcher {
  readonly source: string;
  match(text: string): readonly string[] | undefined;
}

export function readMatcher(place: Place): Matcher {
  const source = place.text();
  const [, pattern, flags = ''] = PATTERN.exec(source) ?? [];
  if (pattern === undefined) return { source, match: (text) => (text.includes(source) ? [source] : undefined) };
  const expression = compile(pattern, flags, place);
  return { source, match: (text) => expression.exec(text)?.map((group: string | undefined) => group ?? '') };
}

function compile(pattern: string, flags: string, place: Place): RegExp {
  if (/[gy]/.test(flags)) place.fail('a pattern is used for one match: flags g and y have no meaning');
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return place.fail(error.message);
    throw error;
  }
}
