import { BackendError, PartnerError, type Backend, type ModelInfo } from '#model';
import { type Log, messageOf } from '#config';
import { listModels } from './agent-models.js';
import type { BackendChoice } from './backend-choice.js';

/** So long a backend may take to tell its models. */
const LEARN_MS = 15_000;

/** What backends have told an agent of their models. */
export class KnownModels {
  private readonly told = new Map<string, readonly ModelInfo[]>();
  private readonly life = new AbortController();
  private asked = '';

  constructor(private readonly log: Log) {}

  /** `backend` has these, and no others. */
  set(backend: string, models: readonly ModelInfo[]): void {
    this.told.set(backend, models);
  }

  /** In tokens; undefined as long as the backend has not told. */
  contextLength(backend: string, model: string): number | undefined {
    return this.told.get(backend)?.find(({ id }) => id === model)?.contextLength;
  }

  /** Asks once for each choice of backend and model. Nobody waits for it. */
  learn(choice: BackendChoice): void {
    const wanted = `${choice.backendName}\0${choice.modelName}`;
    if (this.asked === wanted) return;
    const backend = choice.configured();
    this.asked = wanted;
    if (backend) void this.ask(backend, wanted);
  }

  /** Asks nobody any more. */
  close(): void {
    this.life.abort();
  }

  /** Never rejects: what could not be learnt is asked for again with the next turn. */
  private async ask(backend: Backend, wanted: string): Promise<void> {
    const signal = AbortSignal.any([this.life.signal, AbortSignal.timeout(LEARN_MS)]);
    try {
      this.set(backend.name, await listModels(backend, signal));
    } catch (error) {
      if (this.asked === wanted) this.asked = '';
      const isExpected = signal.aborted || error instanceof PartnerError || error instanceof BackendError;
      this.log[isExpected ? 'debug' : 'error'](`models of ${backend.name}: ${messageOf(error)}`);
    }
  }
}
