const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n' };

/** A value of `cfg`, `stats`, `env` or `idx` on one line: backslash, tab and newline are escaped. */
export function escapeValue(text: string): string {
  return text.replace(/[\\\t\n]/g, (character) => ESCAPES[character] ?? character);
}
