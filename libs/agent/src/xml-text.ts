/** Text as the body of a tag that the runtime writes. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Text as the value of an attribute in double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** The text with a newline at its end, unless it is empty. */
export function endedLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
