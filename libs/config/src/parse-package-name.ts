/** The `name` of a package.json; undefined when the text has none or is not JSON. */
export function parsePackageName(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const name: unknown = typeof value === 'object' && value !== null && 'name' in value ? value.name : undefined;
    return typeof name === 'string' ? name : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
