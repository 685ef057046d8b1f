import type { ModelInfo } from '#model';
import { Shared } from './shared.js';

const FRESH_MS = 300_000;

/** The models of a backend, as they were told within the last five minutes; asked for once for all who want to know. */
export class ModelList {
  private told: { readonly models: readonly ModelInfo[]; readonly atMs: number } | undefined;
  private asking: Shared<readonly ModelInfo[]>;

  constructor(
    private readonly ask: (signal: AbortSignal) => Promise<readonly ModelInfo[]>,
    private readonly now: () => number,
  ) {
    this.asking = this.anew();
  }

  /** Rejects as `ask`, or with the signal's reason. */
  async get(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    if (this.told && this.now() - this.told.atMs < FRESH_MS) return this.told.models;
    return await this.asking.result(signal);
  }

  /** What is being told at this moment is not kept either. */
  forget(): void {
    this.told = undefined;
    this.asking = this.anew();
  }

  private anew(): Shared<readonly ModelInfo[]> {
    const asking: Shared<readonly ModelInfo[]> = new Shared(async (signal) => {
      const models = await this.ask(signal);
      if (this.asking === asking) this.told = { models, atMs: this.now() };
      return models;
    });
    return asking;
  }
}
