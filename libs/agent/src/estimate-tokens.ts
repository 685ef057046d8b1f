const CHARACTERS_A_TOKEN = 4;

/** A rough count for a text that no provider has counted. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_A_TOKEN);
}
