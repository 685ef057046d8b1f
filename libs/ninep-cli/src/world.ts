/** What a command has of the outside: never touched but through this, so that a test can be the outside. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The name to attach with when none is given. */
  readonly uname: string;
  /** By which a server knows the commands of one shell as one client; undefined where there is no session leader. */
  readonly clientTag: string | undefined;
  /** Opened by who needs it, before any file is. Throws StreamError when it is nothing to read from. */
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface Output {
  /** Resolves when the bytes are taken, which may wait for the reader; rejects with ClosedOutputError when there is none, else with StreamError. */
  write(bytes: Uint8Array | string): Promise<void>;
}
