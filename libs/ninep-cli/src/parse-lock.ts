/** The address in the lock of a server's store; undefined when there is none that makes sense. */
export function parseLock(text: string): string | undefined {
  const value = parsed(text);
  const address = typeof value === 'object' && value !== null && 'address' in value ? value.address : undefined;
  return typeof address === 'string' && address.startsWith('unix!/') ? address : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
