export interface ServerLimits {
  readonly maxMessageBytes: number;
  readonly maxConnections: number;
  readonly maxFidsPerConnection: number;
  /** Requests under way; one more is refused, except Tflush. Together they hold at most 16 messages of full size. */
  readonly maxPendingPerConnection: number;
  /** Unsent reply bytes at which a connection is no longer read from. */
  readonly highWaterBytes: number;
}

export const defaultLimits: ServerLimits = {
  maxMessageBytes: 1024 * 1024,
  maxConnections: 1024,
  maxFidsPerConnection: 65536,
  maxPendingPerConnection: 4096,
  highWaterBytes: 1024 * 1024,
};

/** The smallest message size that works. */
export const MIN_MESSAGE_BYTES = 256;
