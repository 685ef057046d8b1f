import type { HereDocument } from './statement.js';

/** The document that a delimiter word (`EOF`, `'EOF'`) and a body make; `<<-` drops leading tabs. */
export function hereDocument(delimiter: string, body: string, operator: string): HereDocument {
  return { body: operator === '<<-' ? body.replace(/^\t+/gm, '') : body, quoted: /['"\\]/.test(delimiter) };
}

/** Reads a body that begins at `from`: its text and where the line after its delimiter begins. */
export function readBody(text: string, from: number, delimiter: string): { readonly body: string; readonly next: number } {
  const wanted = delimiter.replace(/['"\\]/g, '');
  for (let at = from; at < text.length;) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    if (text.slice(at, end).replace(/^\t+/, '') === wanted) return { body: text.slice(from, at), next: end };
    at = end + 1;
  }
  return { body: text.slice(from), next: text.length };
}
