import { ProfileStore } from '#agent';
import { BackendCatalog, ToolHostFactory } from '#model';
import { Injectable } from '@nestjs/common';

/** So long the one who wrote `kill` has to read the answer before connections are hung up. */
const STOP_DELAY_MS = 200;

/** What the server's own `ctl` does. */
@Injectable()
export class ServerControl {
  private close: () => void = () => undefined;

  constructor(
    private readonly backends: BackendCatalog,
    private readonly profiles: ProfileStore,
    private readonly tools: ToolHostFactory,
  ) {}

  /** Drops what was cached about models, profiles and tools; running agents keep what they have. */
  invalidate(): void {
    this.backends.invalidate();
    this.profiles.invalidate();
    this.tools.invalidate();
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
