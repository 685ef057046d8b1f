import type { JsonValue } from '#model';
import type { Framing } from './framing.js';
import { isWholeEvent, parseEvent } from './parse-event.js';
import { SseDecoder } from './sse.js';
import { Utf8Text } from './utf8-text.js';

/** Server-sent events whose data is JSON, or `END_MARK`. */
export class SseFraming implements Framing {
  private readonly text = new Utf8Text();
  private readonly sse = new SseDecoder();

  constructor(private readonly backend: string) {}

  get unfinished(): number {
    return this.sse.unfinished;
  }

  push(piece: Buffer, take: (event: JsonValue) => void): void {
    const text = this.text.push(piece);
    if (text !== '') for (const data of this.sse.push(text)) take(parseEvent(data, this.backend));
  }

  /** What is cut is not an event. */
  end(take: (event: JsonValue) => void): void {
    for (const data of this.sse.end()) if (isWholeEvent(data)) take(parseEvent(data, this.backend));
  }
}
