export const MANAGER_PATH = '/org/ollie/SessionManager';

/** The path of a session, by its id, which never changes. */
export function sessionPath(id: string): string {
  return `/org/ollie/session/${escaped(id)}`;
}

/** Any text as one element of a path: each byte outside [A-Za-z0-9], and a digit in front, becomes _xx. */
export function escaped(text: string): string {
  const isPlain = (char: string, index: number): boolean => /[A-Za-z]/.test(char) || (index > 0 && /[0-9]/.test(char));
  const bytes = [...Buffer.from(text, 'utf8')];
  return bytes.map((byte, index) => (isPlain(String.fromCharCode(byte), index) ? String.fromCharCode(byte) : hex(byte))).join('') || '_';
}

function hex(byte: number): string {
  return `_${byte.toString(16).padStart(2, '0')}`;
}
