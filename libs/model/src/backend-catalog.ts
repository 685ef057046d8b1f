import type { Backend } from './backend.js';

/** Port to the configured backends. */
export abstract class BackendCatalog {
  /** The configured names in the contract's order, `scripted` last. */
  abstract names(): readonly string[];

  /** Throws NotFoundError for a name that is not configured. */
  abstract get(name: string): Backend;

  /** What an agent gets that names none: OLLIE_BACKEND, else the first configured real one; undefined when there is none. Throws NotFoundError when OLLIE_BACKEND names nothing known. */
  abstract preferred(): Backend | undefined;

  /** `[backend, model]` pairs, sorted; a backend that fails is left out. */
  abstract models(signal: AbortSignal): Promise<readonly (readonly [backend: string, model: string])[]>;

  /** Of which day the list of prices is, as `2026-11-20`; undefined as long as no price of it was needed. */
  pricesDate(): string | undefined {
    return undefined;
  }

  abstract invalidate(): void;
}
