import type { BackendError } from '#model';
import { isLimit, restAfter } from './cooldown.js';

/** Clocks and timers differ by a few milliseconds: who comes back when it was told to is not too early. */
const EARLY_MS = 50;
/** A refusal comes soon: what is not refused by then is taken for let in. */
const TRIAL_MS = 10_000;

/**
 * `open`: takes requests. `trial`: it has to be tried by one of them first. `resting`: the same, but better not yet.
 * `closed`: it is to be left alone.
 */
export type Openness = 'open' | 'trial' | 'resting' | 'closed';

interface Cooldown {
  readonly untilMs: number;
  readonly isStrict: boolean;
  readonly error: BackendError;
}

/** What is known of one account: how much it has to do, and whether it takes more. */
export class Account {
  active = 0;
  /** In the order of use among all. */
  lastUse = 0;
  private cooldown: Cooldown | undefined;
  private failures = 0;
  private trialEndsMs: number | undefined;

  /** `isOnly`: there is no other to go to, so that only what passes by itself counts. */
  constructor(
    private readonly limit: number | undefined,
    private readonly isOnly: boolean,
  ) {}

  openness(now: number): Openness {
    if (this.trialEndsMs !== undefined && now >= this.trialEndsMs) this.recover();
    if (!this.cooldown) return 'open';
    const { untilMs, isStrict } = this.cooldown;
    if (now >= untilMs - EARLY_MS) return 'trial';
    return isStrict ? 'closed' : 'resting';
  }

  /** Whether one more request may go to it, as far as their number counts. */
  get hasPlace(): boolean {
    return this.trialEndsMs === undefined && (this.limit === undefined || this.active < this.limit);
  }

  /** True when this request is the one that tries it. */
  begin(now: number): boolean {
    this.active += 1;
    if (this.openness(now) === 'open') return false;
    this.trialEndsMs = now + TRIAL_MS;
    return true;
  }

  end(isTrial: boolean): void {
    this.active -= 1;
    if (isTrial) this.trialEndsMs = undefined;
  }

  /** It has answered a request; what began before it failed says nothing new. */
  answered(isTrial: boolean): void {
    if (isTrial || !this.cooldown) this.recover();
  }

  failed(error: BackendError, now: number): void {
    if (this.isOnly && !isLimit(error)) return;
    if (this.openness(now) === 'open' || this.trialEndsMs !== undefined) this.failures += 1;
    const rest = restAfter(error, this.failures);
    if (!rest) return;
    const untilMs = now + rest.ms;
    if (this.cooldown && this.cooldown.untilMs > untilMs && this.cooldown.isStrict) return;
    this.cooldown = { untilMs, isStrict: rest.isStrict, error };
  }

  recover(): void {
    this.cooldown = undefined;
    this.failures = 0;
    this.trialEndsMs = undefined;
  }

  /** When something changes by time alone; undefined when nothing does. */
  nextChange(now: number): number | undefined {
    if (this.trialEndsMs !== undefined) return this.trialEndsMs;
    const { untilMs = 0 } = this.cooldown ?? {};
    return untilMs - EARLY_MS > now ? untilMs - EARLY_MS : undefined;
  }

  /** Why it is closed, and for how long yet; undefined when it is not. */
  closure(now: number): { readonly error: BackendError; readonly ms: number } | undefined {
    if (!this.cooldown || this.openness(now) !== 'closed') return undefined;
    return { error: this.cooldown.error, ms: this.cooldown.untilMs - now };
  }
}
