/** The bus cannot be reached, refuses us, or is gone. The message is a sentence. */
export class BusError extends Error {
  constructor(
    message: string,
    /** How loud the log is about it. */
    readonly level: 'debug' | 'warn' = 'warn',
    options?: { readonly cause: unknown },
  ) {
    super(message, options);
  }
}
