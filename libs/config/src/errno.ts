/** The code of a failed system call (`ENOENT`), undefined for any other error. Works across realms, where instanceof does not. */
export function errnoOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error && 'syscall' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** What an error says, whatever was thrown and wherever it was made. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
