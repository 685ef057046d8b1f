import { escapeField } from '#model';

/** Lines of an index file: fields separated by tabs. */
export function indexLines(rows: readonly (readonly string[])[]): string {
  return rows.map((fields) => `${fields.map(escapeField).join('\t')}\n`).join('');
}
