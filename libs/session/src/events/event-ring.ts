import { type Client, InterruptedFileError, ValueCell, type WaitSource } from '#virtfs';
import { KeptEvents } from './kept-events.js';
import { type Position, SeenPositions } from './seen-positions.js';
import type { SessionEvent } from './session-event.js';

const KEPT = 4096;
/** What one read gives, unless a single event is longer: as much as the smallest usual message of 9P takes. */
const BATCH_BYTES = 8000;

/**
 * The newest 4,096 events, of which each client is given once what it has not had, in order; nothing is kept for a client but
 * how far it is. Who has missed events that everybody gets is told how many. A first look waits for the next event, or looks
 * from the mark of the client's session leader. Every blocked read of a client is given what comes.
 */
export class EventRing implements WaitSource {
  private readonly kept = new KeptEvents(KEPT);
  private readonly lastId = new ValueCell(0);
  private readonly seen = new SeenPositions();

  add(event: SessionEvent): void {
    this.kept.add(event);
    this.lastId.set(event.id);
  }

  /** What there is counts as seen for every client of this one's session leader. */
  markSeen(client: Client): void {
    this.seen.mark(client, this.end);
  }

  /** Rejects with InterruptedFileError on abort, and nothing counts as seen then. */
  async next(client: Client, signal: AbortSignal): Promise<string> {
    const from = this.seen.of(client) ?? this.end;
    this.seen.set(client, from);
    await this.lastId.until((id) => id > from.id, signal);
    if (signal.aborted) throw new InterruptedFileError();
    const { text, position } = this.batch(from);
    this.seen.set(client, position);
    return text;
  }

  private get end(): Position {
    return { id: this.lastId.value, due: this.kept.due };
  }

  private batch(from: Position): { readonly text: string; readonly position: Position } {
    const missed = this.kept.dropped - from.due;
    let text = missed > 0 ? `${JSON.stringify({ topic: 'overflow', data: { lost: missed } })}\n` : '';
    let position = from;
    for (const { id, due, line } of this.kept.after(from.id)) {
      if (text !== '' && text.length + line.length > BATCH_BYTES) break;
      text += line;
      position = { id, due };
    }
    return { text, position };
  }
}
