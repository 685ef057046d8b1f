const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};
const ESCAPE = /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c(.)|(.))/gs;

/** What `$'...'`, `printf` and `echo -e` make of backslashes. */
export function decodeEscapes(text: string): string {
  // One parameter for each group of the pattern.
  return text.replace(ESCAPE, (whole: string, ...groups: readonly (string | undefined)[]) => {
    const [hex, short, long, octal, control, simple] = groups;
    const digits = hex ?? short ?? long;
    if (digits !== undefined) return fromCode(Number.parseInt(digits, 16), whole);
    if (octal !== undefined) return fromCode(Number.parseInt(octal, 8), whole);
    if (control !== undefined) return fromCode(control.charCodeAt(0) & 0x1f, whole);
    return SIMPLE[simple ?? ''] ?? whole;
  });
}

function fromCode(code: number, otherwise: string): string {
  return code > 0x10ffff ? otherwise : String.fromCodePoint(code);
}
