/** A refusal that goes to the caller under this D-Bus error name. */
export class BusCallError extends Error {
  constructor(
    readonly errorName: string,
    message: string,
  ) {
    super(message);
  }
}

/** One of the names that every D-Bus library knows. */
export function standardError(name: string, message: string): BusCallError {
  return new BusCallError(`org.freedesktop.DBus.Error.${name}`, message);
}
