import type { EventSubject, JsonObject, Topic } from '#model';

/** `id` counts from 1 at each start of the server, which `epoch` stands for; `ts` in milliseconds since 1970. */
export interface EventFacts {
  readonly id: number;
  readonly ts: number;
  readonly topic: Topic;
  readonly subject: EventSubject;
  readonly data: JsonObject;
  readonly epoch: number;
}

/** One event as it was published. */
export class SessionEvent {
  private json: string | undefined;

  constructor(private readonly facts: EventFacts) {}

  get id(): number {
    return this.facts.id;
  }

  get topic(): Topic {
    return this.facts.topic;
  }

  get subject(): EventSubject {
    return this.facts.subject;
  }

  get data(): JsonObject {
    return this.facts.data;
  }

  /** As `eventwait` and `events` show it, with a newline. */
  get line(): string {
    const { id, ts, topic, subject, data, epoch } = this.facts;
    return (this.json ??= `${JSON.stringify({ id, ts, topic, ...subject, data, epoch })}\n`);
  }
}
