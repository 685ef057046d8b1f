import { illegalArgument } from './errors.js';

/** What clients may use; more is refused with an error, or ends the connection that asks for it. */
export interface ServerLimits {
  /** The longest message, and so the largest msize that is agreed to. At least 256. */
  readonly maxMessageBytes: number;
  /** Open connections of each listener: those over TCP take none from the user's own socket. */
  readonly maxConnections: number;
  readonly maxFidsPerConnection: number;
  /** Requests under way; one more is refused, except Tflush. Together they hold at most 16 messages of full size. */
  readonly maxPendingPerConnection: number;
  /** Bytes written to files in which they take effect at the close only; more is refused until some are closed. */
  readonly maxUnfinishedBytesPerConnection: number;
  /** Unsent reply bytes at which a connection is no longer read from. */
  readonly highWaterBytes: number;
  /** How long a connection may last before its first attach. */
  readonly attachTimeoutMs: number;
  /** How long a client that says no more may take to read what it had asked for. */
  readonly lingerMs: number;
}

export const defaultLimits: ServerLimits = {
  maxMessageBytes: 1024 * 1024,
  maxConnections: 1024,
  maxFidsPerConnection: 65536,
  maxPendingPerConnection: 4096,
  maxUnfinishedBytesPerConnection: 64 * 1024 * 1024,
  highWaterBytes: 1024 * 1024,
  attachTimeoutMs: 60_000,
  lingerMs: 30_000,
};

/** The smallest message size that works. */
export const MIN_MESSAGE_BYTES = 256;

/** The defaults with what is set. NinepError for a limit that is no positive whole number, or too small to work. */
export function limitsWith(set: Partial<ServerLimits> = {}): ServerLimits {
  for (const [name, value] of Object.entries(set)) {
    const least = name === 'maxMessageBytes' ? MIN_MESSAGE_BYTES : 1;
    if (!Number.isSafeInteger(value) || value < least) throw illegalArgument(`${name}=${value}: at least ${least}`);
  }
  return { ...defaultLimits, ...set };
}
