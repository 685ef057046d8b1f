import type { JsonValue } from '#model';
import type { Framing } from './framing.js';
import { isWholeEvent, parseDocument } from './parse-event.js';
import { Utf8Text } from './utf8-text.js';

/** JSON in lines (NDJSON). Empty ones are passed over. */
export class LineFraming implements Framing {
  private readonly text = new Utf8Text();
  /** Of the line that is open. */
  private held = '';

  constructor(private readonly backend: string) {}

  get unfinished(): number {
    return this.held.length;
  }

  push(piece: Buffer, take: (event: JsonValue) => void): void {
    const text = this.text.push(piece);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.takeLine(this.held + text.slice(start, end), take);
      this.held = '';
      start = end + 1;
    }
    this.held += text.slice(start);
  }

  /** What is cut is not an event. */
  end(take: (event: JsonValue) => void): void {
    if (isWholeEvent(this.held)) this.takeLine(this.held, take);
  }

  private takeLine(line: string, take: (event: JsonValue) => void): void {
    if (line.trim() !== '') take(parseDocument(line, this.backend));
  }
}
