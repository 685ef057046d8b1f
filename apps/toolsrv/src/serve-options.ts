import type { LogThreshold } from '#config';

/** What `serve` was started with, every default filled in. */
export abstract class ServeOptions {
  /** Absolute; where a call runs that names no directory. */
  abstract readonly cwd: string;
  /** A Unix socket as an address. */
  abstract readonly listen: string;
  abstract readonly yolo: boolean;
  abstract readonly auth: boolean;
  /** Milliseconds without any connection after which the server ends; undefined = never. */
  abstract readonly idleTimeoutMs: number | undefined;
  /** An inherited descriptor that the secret is read from, and whose end is the owner's end. */
  abstract readonly secretFd: number | undefined;
  /** What observers prove themselves with; undefined = the owner's pipe may still bring it. */
  abstract readonly observerSecret: string | undefined;
  /** Milliseconds that a call waits for an observer who lets it out of the sandbox. */
  abstract readonly bypassTimeoutMs: number;
  /** The number before that of the first process. */
  abstract readonly lastProcess: number;
  /** Of this installation. */
  abstract readonly version: string;
  abstract readonly logLevel: LogThreshold;
}
