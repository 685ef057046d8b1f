import { type Log, messageOf } from '#config';
import type { SessionEvent } from './session-event.js';
import { matches, type TopicPattern } from './topics.js';

type Subscriber = (event: SessionEvent) => void;

interface Subscription {
  readonly pattern: TopicPattern;
  readonly hear: Subscriber;
}

/**
 * Tells subscribers of events, in the order in which they subscribed, before `tell` returns. One that throws is logged and
 * disturbs nobody. An event that a subscriber causes follows when all have heard of the one before it.
 */
export class EventBus {
  private subscriptions: readonly Subscription[] = [];
  private readonly waiting: SessionEvent[] = [];
  private isTelling = false;

  constructor(private readonly log: Log) {}

  /** What it gives ends the subscription. */
  subscribe(pattern: TopicPattern, hear: Subscriber): () => void {
    const subscription = { pattern, hear };
    this.subscriptions = [...this.subscriptions, subscription];
    return () => {
      this.subscriptions = this.subscriptions.filter((other) => other !== subscription);
    };
  }

  tell(event: SessionEvent): void {
    this.waiting.push(event);
    if (this.isTelling) return;
    this.isTelling = true;
    for (let next = this.waiting.shift(); next; next = this.waiting.shift()) this.tellAll(next);
    this.isTelling = false;
  }

  private tellAll(event: SessionEvent): void {
    for (const { pattern, hear } of this.subscriptions) if (matches(pattern, event.topic)) this.tellOne(hear, event);
  }

  private tellOne(hear: Subscriber, event: SessionEvent): void {
    try {
      hear(event);
    } catch (error) {
      this.log.error(`event ${event.topic}: a subscriber failed: ${messageOf(error)}`);
    }
  }
}
