/** How a background process ended. */
export interface ProcessEnd {
  /** As a shell counts: 128 + N for signal N. */
  readonly exitCode: number;
  readonly command: string;
  /** Its output, or the start and the end of it. */
  readonly output: string;
  /** False: the middle of the output was left out. */
  readonly isWhole: boolean;
}

/** What a process can be told: to end, to end at once, or (once it has) to be forgotten. */
export type ProcessOrder = 'term' | 'kill' | 'dismiss';

/** A process that a tool server runs while nobody waits for it. Every method rejects with PartnerError when the connection that started it is lost. */
export interface BackgroundProcess {
  /** The server's own number. */
  readonly pid: number;
  whenEnded(signal: AbortSignal): Promise<ProcessEnd>;
  /** Says that its end was delivered: the server may forget it. */
  acknowledge(signal: AbortSignal): Promise<void>;
  /** Ends its whole process tree; nothing happens to one that has ended. */
  kill(signal: AbortSignal): Promise<void>;
  /** Rejects with NotFoundError for one that is gone, with BusyError for one that cannot be forgotten yet. */
  order(order: ProcessOrder, signal: AbortSignal): Promise<void>;
  /** At most `count` bytes of its output; none at the end of what there is. Rejects with NotFoundError once the server has forgotten it. */
  output(range: { readonly offset: number; readonly count: number }, signal: AbortSignal): Promise<Uint8Array>;
  /** How many bytes of output there are now. Rejects as `output` does. */
  outputLength(signal: AbortSignal): Promise<number>;
  /** What the server says of it, `key=value` lines. Rejects with NotFoundError once it has forgotten it. */
  stat(signal: AbortSignal): Promise<string>;
}
