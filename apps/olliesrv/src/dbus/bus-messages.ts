/** What a caller on the bus asks. `interface` is empty when it names none. */
export interface BusCall {
  /** The caller's unique name, like `:1.7`. */
  readonly sender: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature: string;
  /** Matches `signature`. */
  readonly body: readonly unknown[];
}

/** With `error`, the name of one, the body is a single sentence. */
export interface BusReply {
  readonly signature: string;
  readonly body: readonly unknown[];
  readonly error?: string;
}

/** Sent to whoever listens. */
export interface BusSignal {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature: string;
  readonly body: readonly unknown[];
}

/** Answers each call; must not reject. */
export type Answer = (call: BusCall) => Promise<BusReply>;
