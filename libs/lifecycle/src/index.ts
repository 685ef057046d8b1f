// Signatures to build. Each concept goes to its own file; this file becomes hand-written re-exports.

export interface Closable {
  close(): Promise<void>;
}

/** Closes the app on SIGINT, SIGTERM, SIGHUP; the process then ends by itself with 0. A repeat later than 1 s ends at once (130); 10 s is the limit (1). */
export declare function runUntilSignal(app: Closable): void;

/** The steps after the doors are shut, in order; Nest provider with onApplicationShutdown. A failed step is reported, makes the exit code 1, and the rest still runs. */
export declare class ShutdownPlan {
  set(...steps: readonly (readonly [name: string, run: () => Promise<void> | void])[]): void;
  /** Only a server that did serve may run its plan. */
  arm(): void;
  onApplicationShutdown(): Promise<void>;
}
