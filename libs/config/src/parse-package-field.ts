/** A text field of a package.json; undefined when it has none or is not JSON. */
export function parsePackageField(text: string, field: 'name' | 'version'): string | undefined {
  try {
    const found: unknown = JSON.parse(text);
    const value: unknown =
      typeof found === 'object' && found !== null ? Object.entries(found).find(([key]) => key === field)?.[1] : undefined;
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
