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

/** A process that a tool server runs while nobody waits for it. Every method rejects with PartnerError when the connection that started it is lost. */
export interface BackgroundProcess {
  /** The server's own number. */
  readonly pid: number;
  whenEnded(signal: AbortSignal): Promise<ProcessEnd>;
  /** Says that its end was delivered: the server may forget it. */
  acknowledge(signal: AbortSignal): Promise<void>;
  /** Ends its whole process tree; nothing happens to one that has ended. */
  kill(signal: AbortSignal): Promise<void>;
}
