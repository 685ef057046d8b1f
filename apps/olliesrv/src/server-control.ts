import { resolve } from 'node:path';
import { ConfigError, expandTilde, type Paths } from '#config';
import { IllegalInputError } from '#model';
import { trustProject } from '#sandbox';
import type { SessionRegistry } from '#session';

/** So long the one who wrote `kill` has to read the answer before connections are hung up. */
const STOP_DELAY_MS = 200;

/** What the server's own `ctl` does. */
export class ServerControl {
  private close: () => void = () => undefined;

  constructor(
    private readonly sessions: SessionRegistry,
    private readonly paths: Pick<Paths, 'home' | 'data'>,
  ) {}

  /** Drops what was cached about models, profiles and tools; running agents keep what they have. */
  invalidate(): void {
    this.sessions.invalidate();
  }

  /**
   * Trusts the sandbox policy of a project as it is now: it may widen what tools may do there, in tool servers that
   * start from now on. Where the writer stands is not known, so the path must be absolute or begin with `~/`.
   * Throws IllegalInputError.
   */
  trust(path: string): void {
    if (!/^(\/|~(\/|$))/.test(path)) throw new IllegalInputError('argument', 'trust needs an absolute path, or one that begins with ~/');
    try {
      trustProject(resolve(expandTilde(path, this.paths.home)), this.paths.data);
    } catch (error) {
      if (error instanceof ConfigError) throw new IllegalInputError('argument', error.message);
      throw error;
    }
  }

  /** Stops the server in order, soon. */
  stop(): void {
    setTimeout(this.close, STOP_DELAY_MS);
  }

  /** Says what `stop` does; before that it does nothing. */
  onStop(close: () => void): void {
    this.close = close;
  }
}
