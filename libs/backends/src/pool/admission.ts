import { RateLimitError, TransientError, type BackendError, type Clock } from '#model';
import { Account, type Openness } from './account.js';
import { Homes } from './homes.js';

/** Who wants in. */
export interface Applicant {
  readonly conversation: string | undefined;
  /** Accounts that it has tried. */
  readonly tried: ReadonlySet<number>;
}

/** A slot with an account, until `end`. */
export interface Slot {
  readonly account: number;
  /** It has answered. */
  answered(): void;
  failed(error: BackendError): void;
  end(): void;
}

interface Waiter {
  readonly applicant: Applicant;
  readonly admit: (slot: Slot) => void;
  readonly refuse: (error: BackendError) => void;
}

/** The account to go to, why there is none, or undefined: wait. */
type Verdict = number | BackendError | undefined;

/**
 * Which request goes to which account, and when. A conversation stays with its account while that takes requests; others go
 * where least is under way. Who finds no slot waits, first come first served; when every account is to be left alone,
 * nobody waits: how long is for the caller to say. It has a timer only while somebody waits.
 */
export class Admission {
  private readonly accounts: readonly Account[];
  private readonly homes = new Homes();
  private readonly waiters = new Set<Waiter>();
  private uses = 0;
  private alarm: AbortController | undefined;

  /** `limits`: how many requests at a time each account takes; undefined = any number. */
  constructor(
    limits: readonly (number | undefined)[],
    private readonly clock: Clock,
  ) {
    this.accounts = limits.map((limit) => new Account(limit, limits.length === 1));
  }

  get waiting(): number {
    return this.waiters.size;
  }

  /** Rejects with what the accounts are closed for, or with the signal's reason. `tried` must not hold all of them. */
  async admitted(applicant: Applicant, signal: AbortSignal): Promise<Slot> {
    signal.throwIfAborted();
    const verdict = this.judge(applicant);
    if (verdict === undefined) return await this.queued(applicant, signal);
    if (typeof verdict !== 'number') throw verdict;
    return this.slot(verdict, applicant);
  }

  /** Those that are not closed, in the order in which they should be asked what models there are. */
  get inOrder(): readonly number[] {
    const now = this.clock.now();
    const rank: Readonly<Record<Openness, number>> = { open: 0, trial: 1, resting: 2, closed: 3 };
    return [...this.accounts.keys()].toSorted((a, b) => rank[this.at(a).openness(now)] - rank[this.at(b).openness(now)]);
  }

  /** The failure itself, or, when no account may be asked now, the one of the account that may be asked first. */
  verdictOn(error: BackendError): BackendError {
    return this.accounts.length === 1 ? error : (this.closure([...this.accounts.keys()]) ?? error);
  }

  /** Nothing is held against any account any more. */
  forgive(): void {
    for (const account of this.accounts) account.recover();
    this.pump();
  }

  private judge({ conversation, tried }: Applicant): Verdict {
    const now = this.clock.now();
    const able = [...this.accounts.keys()].filter((index) => !tried.has(index));
    const of = (openness: Openness): readonly number[] => able.filter((index) => this.at(index).openness(now) === openness);
    const [open, trial, resting] = [of('open'), of('trial'), of('resting')];
    const home = this.homes.of(conversation);
    if (home !== undefined && open.includes(home)) return this.firstFree([home]);
    const found = this.firstFree(trial.filter((index) => index === home)) ?? this.leastUsed(open) ?? this.firstFree(trial);
    if (found !== undefined || open.length + trial.length > 0) return found;
    return resting.length > 0 ? this.firstFree(resting) : this.closure(able, tried.size === 0);
  }

  /** True when nothing can be said to anybody but to wait. */
  private get isFull(): boolean {
    const now = this.clock.now();
    return this.accounts.every((account) => account.openness(now) !== 'closed' && !account.hasPlace);
  }

  private firstFree(accounts: readonly number[]): number | undefined {
    return accounts.find((index) => this.at(index).hasPlace);
  }

  private leastUsed(accounts: readonly number[]): number | undefined {
    const free = accounts.filter((index) => this.at(index).hasPlace);
    return free.toSorted((a, b) => this.at(a).active - this.at(b).active || this.at(a).lastUse - this.at(b).lastUse)[0];
  }

  /** Undefined as long as one of them may be asked. */
  private closure(accounts: readonly number[], isUnsent = false): BackendError | undefined {
    const closures = accounts.map((index) => this.at(index).closure(this.clock.now()));
    const [first] = closures.filter((one) => one !== undefined).toSorted((a, b) => a.ms - b.ms);
    return first && closures.every((one) => one !== undefined) ? closed(first.error, first.ms, isUnsent) : undefined;
  }

  private slot(index: number, { conversation }: Applicant): Slot {
    const account = this.at(index);
    const isTrial = account.begin(this.clock.now());
    account.lastUse = this.uses += 1;
    if (this.accounts.length > 1) this.homes.settle(conversation, index);
    let isOver = false;
    return {
      account: index,
      answered: () => this.changed(() => account.answered(isTrial)),
      failed: (error) => this.changed(() => account.failed(error, this.clock.now())),
      end: () => {
        if (isOver) return;
        isOver = true;
        this.changed(() => account.end(isTrial));
      },
    };
  }

  private queued(applicant: Applicant, signal: AbortSignal): Promise<Slot> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiters.delete(waiter);
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        leave();
        this.arm();
        reject(signal.reason);
      };
      const waiter: Waiter = {
        applicant,
        admit: (slot) => (leave(), resolve(slot)),
        refuse: (error) => (leave(), reject(error)),
      };
      signal.addEventListener('abort', abort, { once: true });
      this.waiters.add(waiter);
      this.arm();
    });
  }

  private changed(change: () => void): void {
    change();
    this.pump();
  }

  private pump(): void {
    for (const waiter of this.waiters) {
      if (this.isFull) break;
      const verdict = this.judge(waiter.applicant);
      if (typeof verdict === 'number') waiter.admit(this.slot(verdict, waiter.applicant));
      else if (verdict) waiter.refuse(verdict);
    }
    this.arm();
  }

  /** Wakes up when time alone may let somebody in. */
  private arm(): void {
    this.alarm?.abort();
    this.alarm = undefined;
    if (this.waiters.size === 0) return;
    const now = this.clock.now();
    const changes = this.accounts.map((account) => account.nextChange(now)).filter((at) => at !== undefined);
    if (changes.length > 0) void this.wake(Math.min(...changes) - now);
  }

  private async wake(ms: number): Promise<void> {
    const alarm = new AbortController();
    this.alarm = alarm;
    try {
      await this.clock.sleep(ms, alarm.signal);
    } catch (reason) {
      if (!alarm.signal.aborted) throw reason;
      return;
    }
    this.pump();
  }

  private at(index: number): Account {
    const account = this.accounts[index];
    if (!account) throw new RangeError(`no account ${index}`);
    return account;
  }
}

/** The same failure, with what is left of its wait. */
function closed(error: BackendError, ms: number, isUnsent: boolean): BackendError {
  const left = { ...error.failure, retryAfterMs: Math.ceil(ms), ...(isUnsent && { unsent: true as const }) };
  return error instanceof RateLimitError ? new RateLimitError(error.message, left) : new TransientError(error.message, left);
}
