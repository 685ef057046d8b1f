import type { JsonValue } from '#model';
import type { Framing } from './framing.js';
import { isWholeEvent, parseEvent } from './parse-event.js';
import { SseDecoder } from './sse.js';
import { Utf8Text } from './utf8-text.js';

/** With what a document begins, and no line of server-sent events. */
const DOCUMENT = /^[[{]/;

/**
 * Server-sent events whose data is JSON, or `END_MARK`. A body that is one JSON document, whatever it is announced as, is
 * one event: so servers refuse that have already said that they stream.
 */
export class SseFraming implements Framing {
  private readonly text = new Utf8Text();
  private readonly sse = new SseDecoder();
  private hasBegun = false;
  /** Undefined for a body of events. */
  private document: string | undefined;

  constructor(private readonly backend: string) {}

  get unfinished(): number {
    return this.document?.length ?? this.sse.unfinished;
  }

  push(piece: Buffer, take: (event: JsonValue) => void): void {
    const text = this.begun(this.text.push(piece));
    if (this.document !== undefined) this.document += text;
    else if (text !== '') this.takeAll(this.sse.push(text), take);
  }

  /** What is cut is not an event. */
  end(take: (event: JsonValue) => void): void {
    const data = this.document === undefined ? this.sse.end() : [this.document];
    this.takeAll(data.filter(isWholeEvent), take);
  }

  /** The text without the white space at the start of the body, which means nothing. */
  private begun(text: string): string {
    if (this.hasBegun) return text;
    const rest = text.trimStart();
    this.hasBegun = rest !== '';
    if (DOCUMENT.test(rest)) this.document = '';
    return rest;
  }

  /** Data of nothing keeps a connection alive. */
  private takeAll(data: readonly string[], take: (event: JsonValue) => void): void {
    for (const one of data) if (one.trim() !== '') take(parseEvent(one, this.backend));
  }
}
