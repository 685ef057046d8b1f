import { Injectable, type OnApplicationShutdown } from '@nestjs/common';

export type ShutdownStep = readonly [name: string, run: () => Promise<void> | void];

/**
 * The steps after the doors are shut, in the order given to `set`. Nest swallows what a hook throws,
 * so a failed step is reported here and makes the exit code 1; the rest still runs.
 */
@Injectable()
export class ShutdownPlan implements OnApplicationShutdown {
  private steps: readonly ShutdownStep[] = [];
  private armed = false;

  set(...steps: readonly ShutdownStep[]): void {
    this.steps = steps;
  }

  /** Only a server that did serve may run its plan: one that failed to listen must not touch the state of the one that does. */
  arm(): void {
    this.armed = true;
  }

  async onApplicationShutdown(): Promise<void> {
    if (!this.armed) return;
    for (const [name, run] of this.steps) await attempt(name, run);
  }
}

async function attempt(name: string, run: ShutdownStep[1]): Promise<void> {
  try {
    await run();
  } catch (error) {
    process.stderr.write(`shutdown: ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
