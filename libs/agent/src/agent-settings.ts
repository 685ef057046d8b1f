import type { GenerationParams } from '#model';
import type { AgentSetup } from './agent-identity.js';
import type { FeedMode, Profile } from './profile.js';

/** What of an agent may be changed while it lives. Undefined = what its profile says, or the default. */
export interface SettingValues {
  /** Absolute. */
  readonly cwd: string;
  readonly backend: string | undefined;
  readonly model: string | undefined;
  readonly maxSteps: number | undefined;
  readonly compactionModel: string | undefined;
  readonly autoLoad: readonly string[] | undefined;
  readonly feed: FeedMode | undefined;
  readonly params: GenerationParams;
}

/** What an agent works with now. */
export class AgentSettings {
  private current: SettingValues;
  private consent: (next: SettingValues) => void = () => undefined;

  constructor(
    cwd: string,
    private readonly setup: AgentSetup,
  ) {
    const { backend, model, maxSteps, profile } = setup;
    const { params } = profile;
    this.current = { cwd, backend, model, maxSteps, params, compactionModel: undefined, autoLoad: undefined, feed: undefined };
  }

  get values(): SettingValues {
    return this.current;
  }

  /** Swaps all of them, so that no reader sees half of a change. Throws what their keeper has against it. */
  change(next: SettingValues): void {
    this.consent(next);
    this.current = next;
  }

  /** `consent` hears of each change before it is made, and throws to refuse it. */
  keptBy(consent: (next: SettingValues) => void): void {
    this.consent = consent;
  }

  get profile(): Profile {
    return this.setup.profile;
  }

  get backend(): string | undefined {
    return this.values.backend;
  }

  get model(): string | undefined {
    return this.values.model;
  }

  get maxSteps(): number {
    return this.values.maxSteps ?? this.profile.maxSteps;
  }

  get compactionModel(): string {
    return this.values.compactionModel ?? this.profile.compactionModel ?? '';
  }

  get tools(): Profile['tools'] {
    return this.profile.tools;
  }

  get autoLoad(): readonly string[] {
    return this.values.autoLoad ?? this.profile.autoLoad;
  }

  get feed(): FeedMode {
    return this.values.feed ?? this.profile.feed;
  }
}
