import { AgentBus } from '#agent';
import type { EventData, EventSubject, JsonObject, Topic } from '#model';
import type { Client } from '#virtfs';

/** A bus that only remembers what was published. */
export class FakeEvents extends AgentBus {
  readonly published: { readonly topic: Topic; readonly subject: EventSubject; readonly data: JsonObject }[] = [];
  readonly marks: Client[] = [];

  publish<T extends Topic>(topic: T, subject: EventSubject, data: EventData[T] & JsonObject): void {
    this.published.push({ topic, subject, data });
  }

  markSeen(client: Client): void {
    this.marks.push(client);
  }

  /** The data of a topic's events. */
  of(topic: Topic): readonly JsonObject[] {
    return this.published.filter((event) => event.topic === topic).map(({ data }) => data);
  }
}
