import { approvalHash } from './approval-hash.js';
import type { BypassOrder } from './bypass-order.js';
import type { Decision } from './decision.js';
import { directoryIdentity } from './directory-identity.js';
import { requestText, type RequestTimes } from './request-text.js';

/** One command that waits for an answer. What is shown of it never changes. */
export class BypassRequest {
  readonly id: string;
  readonly hash: string;
  /** What observers read. */
  readonly text: string;
  /** Resolves with the first decision. Never rejects. */
  readonly decided: Promise<Decision>;
  /** Aborts with the first decision. */
  readonly life = new AbortController();
  /** Some observer has it. */
  isGiven = false;
  private settle: (decision: Decision) => void = () => undefined;
  private readonly place: string | undefined;

  constructor(
    readonly number: number,
    readonly order: BypassOrder,
    readonly times: RequestTimes,
  ) {
    this.id = `b-${number}`;
    this.hash = approvalHash(order);
    this.text = requestText(this.id, order, times, this.hash);
    this.place = directoryIdentity(order.cwd);
    this.decided = new Promise((resolve) => (this.settle = resolve));
  }

  /** The path of the working directory still leads to the directory that it led to. */
  get isInPlace(): boolean {
    return directoryIdentity(this.order.cwd) === this.place;
  }

  /** Names this call in this very directory. */
  get binding(): string {
    return `${this.hash} ${this.place ?? ''}`;
  }

  /** Only the first decision counts. */
  decide(decision: Decision): void {
    this.settle(decision);
    this.life.abort();
  }
}
