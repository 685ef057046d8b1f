import type { Log } from '#config';
import { type Clock, type EventData, EventSink, type EventSubject, type JsonObject, type Topic } from '#model';
import { type Client, LineLog } from '#virtfs';
import { EventBus } from './event-bus.js';
import { EventRing } from './event-ring.js';
import { LatestOnly } from './latest-only.js';
import { SessionEvent } from './session-event.js';
import { DELIVERY, type TopicPattern } from './topics.js';

const KEPT_BYTES = 1024 * 1024;

/**
 * Everything that happens in this server, under the topics of the contract. Who publishes is never held up and hears of no
 * failure. Readers: subscribers of this process, `eventwait` (the newest 4,096, by client) and `events` (1 MiB, by offset).
 */
export class SessionEvents extends EventSink {
  readonly ring = new EventRing();
  readonly log: LineLog;
  /** Changes at each start of the server. */
  readonly epoch: number;
  private readonly bus: EventBus;
  private readonly latest = new LatestOnly();
  private lastId = 0;

  constructor(
    private readonly clock: Clock,
    log: Log,
  ) {
    super();
    this.epoch = clock.now();
    this.log = new LineLog(
      KEPT_BYTES,
      (lost, offset) => `${JSON.stringify({ topic: 'overflow', data: { lost, offset }, epoch: this.epoch })}\n`,
    );
    this.bus = new EventBus(log);
    this.bus.subscribe('*', (event) => this.keep(event));
  }

  publish<T extends Topic>(topic: T, subject: EventSubject, data: EventData[T] & JsonObject): void {
    if (DELIVERY[topic] === 'latest') {
      this.latest.offer(keyOf(topic, subject), () => this.tell(topic, subject, data));
      return;
    }
    // What an agent has said is told before what became of it.
    for (const lossy of LOSSY) this.latest.flush(keyOf(lossy, subject));
    this.tell(topic, subject, data);
  }

  /** `hear` is called with each event of the topics before `publish` returns; what this gives ends that. */
  subscribe(topics: TopicPattern, hear: (event: SessionEvent) => void): () => void {
    return this.bus.subscribe(topics, hear);
  }

  /** All events so far count as seen for every client of this one's session leader. */
  markSeen(client: Client): void {
    this.ring.markSeen(client);
  }

  private tell(topic: Topic, subject: EventSubject, data: JsonObject): void {
    this.lastId += 1;
    this.bus.tell(new SessionEvent({ id: this.lastId, ts: this.clock.now(), topic, subject, data, epoch: this.epoch }));
  }

  private keep(event: SessionEvent): void {
    this.log.append(event.line);
    this.ring.add(event);
  }
}

const LOSSY: readonly Topic[] = ['agent.chat', 'agent.usage'];

function keyOf(topic: Topic, { agent = '' }: EventSubject): string {
  return `${topic} ${agent}`;
}
