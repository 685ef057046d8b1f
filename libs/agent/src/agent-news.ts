import { visible } from '#config';
import { type AgentEvent, type EventData, EventSink, type EventSubject, type JsonObject, type Topic } from '#model';
import type { Client } from '#virtfs';
import type { Emit } from './emit.js';
import type { Transcript } from './transcript.js';
import type { UsageMeter } from './usage.js';

const MAX_ERROR_CHARACTERS = 500;

/** The bus of the server, as agents know it. */
export abstract class AgentBus extends EventSink {
  /** All events so far count as seen for every client of this one's session leader. */
  abstract markSeen(client: Client): void;
}

/** What one agent tells of itself on the bus. */
export class AgentNews {
  private readonly subject: EventSubject;
  private lastState = 'idle ';
  private chatBytes = 0;
  private failure: string | undefined;

  constructor(
    private readonly bus: AgentBus,
    { id, sessionId }: { readonly id: string; readonly sessionId: string },
  ) {
    this.subject = { session: sessionId, agent: id };
  }

  tell<T extends Topic>(topic: T, data: EventData[T] & JsonObject): void {
    this.bus.publish(topic, this.subject, data);
  }

  /** Writes into the transcript, and then tells what there is to tell of that. */
  writing(transcript: Transcript, usage: () => UsageMeter): Emit {
    return (event) => {
      transcript.write(event);
      this.tellGrowth(transcript.plain.length);
      this.hear(event, usage);
    };
  }

  /** Nothing is told that was told before. */
  state(state: string, action: string): void {
    const now = `${state} ${action}`;
    if (now === this.lastState) return;
    this.lastState = now;
    this.tell('agent.state', { state, action });
  }

  private tellGrowth(bytes: number): void {
    if (bytes === this.chatBytes) return;
    this.chatBytes = bytes;
    this.tell('agent.chat', { offset: bytes });
  }

  private hear(event: AgentEvent, usage: () => UsageMeter): void {
    if (event.type === 'begin') this.failure = event.role === 'error' ? '' : undefined;
    if (event.type === 'begin' && event.role === 'usage') this.tell('agent.usage', usage().tokens);
    if (this.failure === undefined) return;
    if (event.type === 'delta') this.failure += event.text;
    if (event.type === 'end') this.tellError(this.failure);
  }

  private tellError(text: string): void {
    this.failure = undefined;
    this.tell('error', { text: visible(Array.from(text).slice(0, MAX_ERROR_CHARACTERS).join('')) });
  }
}
