/** A value as it stands in a payload of `proc/new`, one `key=value` a line: newline and backslash become `\n`, `\\`; a tab stays. */
export function escapeValue(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** Undoes `escapeValue`. A backslash before any other character stays as it is. */
export function unescapeValue(text: string): string {
  return text.replace(/\\([\\n])/g, (_all, code: string) => (code === 'n' ? '\n' : '\\'));
}
