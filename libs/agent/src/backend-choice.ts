import { NotFoundError, type Backend, type BackendCatalog } from '#model';

import { NotConfiguredError } from './errors.js';
import type { Profile } from './profile.js';

/** What an agent is to use: its own choice, and what its profile says. */
export interface Wish {
  readonly profile: Pick<Profile, 'backend' | 'model'>;
  readonly backend: string | undefined;
  readonly model: string | undefined;
}

/** Which backend and model an agent uses: what it was made with, else its profile, else the catalog's preference. */
export class BackendChoice {
  constructor(
    private readonly catalog: BackendCatalog,
    private readonly setup: Wish,
  ) {}

  /** The chosen name, configured or not; empty when nothing is configured. */
  get backendName(): string {
    return this.named ?? this.configured()?.name ?? '';
  }

  /** Empty when nobody names one. */
  get modelName(): string {
    return this.namedModel ?? this.configured()?.defaultModel ?? '';
  }

  /** Throws NotFoundError for a name that is not configured. That no name is given is a matter of the turn. */
  demandKnown(): void {
    this.chosen();
  }

  /** Throws NotConfiguredError, or NotFoundError for a backend that is named but not configured. */
  resolve(): { readonly backend: Backend; readonly model: string } {
    const backend = this.chosen();
    if (backend === undefined) throw new NotConfiguredError('backend');
    const model = this.namedModel ?? backend.defaultModel;
    if (model === undefined) throw new NotConfiguredError({ modelOf: backend.name });
    return { backend, model };
  }

  private get named(): string | undefined {
    return this.setup.backend ?? this.setup.profile.backend;
  }

  /** A profile's model belongs to the profile's backend. */
  private get namedModel(): string | undefined {
    const { profile, backend, model } = this.setup;
    return model ?? (backend === undefined || backend === profile.backend ? profile.model : undefined);
  }

  /** For what only shows the choice: a name that is not configured is a matter of the turn. */
  configured(): Backend | undefined {
    try {
      return this.chosen();
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      return undefined;
    }
  }

  /** Undefined when none is configured. Throws NotFoundError for a name that is not. */
  chosen(): Backend | undefined {
    return this.named === undefined ? this.catalog.preferred() : this.catalog.get(this.named);
  }
}
