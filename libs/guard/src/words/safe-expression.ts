const MAX_LENGTH = 200;
const MAX_QUANTIFIERS = 3;

/** A regular expression from text that a command holds; undefined if it is none, or one that may take long even on short text. */
export function safeExpression(source: string, flags = ''): RegExp | undefined {
  const quantifiers = source.match(/(?<!\\)[*+{]/g)?.length ?? 0;
  if (source.length > MAX_LENGTH || quantifiers > MAX_QUANTIFIERS || /\)[*+{?]|\\\d/.test(source)) return undefined;
  try {
    return new RegExp(source, flags);
  } catch (error) {
    if (error instanceof Error && error.name === 'SyntaxError') return undefined;
    throw error;
  }
}
