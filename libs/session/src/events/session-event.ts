import type { EventSubject, JsonObject, Topic } from '#model';

/** One event as it was published. `id` counts from 1 at each start of the server; `ts` in milliseconds since the epoch. */
export class SessionEvent {
  private json: string | undefined;

  constructor(
    readonly id: number,
    readonly ts: number,
    readonly topic: Topic,
    readonly subject: EventSubject,
    readonly data: JsonObject,
    private readonly epoch: number,
  ) {}

  /** As `eventwait` and `events` show it, with a newline. */
  get line(): string {
    const { id, ts, topic, subject, data, epoch } = this;
    return (this.json ??= `${JSON.stringify({ id, ts, topic, ...subject, data, epoch })}\n`);
  }
}
