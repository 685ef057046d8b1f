/** A value as it stands in one field of idx, cfg, env, stats and stat: tab, newline and backslash become `\t`, `\n`, `\\`. */
export function escapeField(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
}

/** Undoes `escapeField`. A backslash before any other character stays as it is. */
export function unescapeField(field: string): string {
  return field.replace(/\\([tn\\])/g, (_all, code: string) => (code === 't' ? '\t' : code === 'n' ? '\n' : '\\'));
}
