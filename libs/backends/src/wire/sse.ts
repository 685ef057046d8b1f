const LINE_END = /\r\n|\n|\r/g;

/**
 * Server-sent events to their data. Text may come cut anywhere; CR, LF and CRLF end a line, a CR at the end of what came
 * waits for its LF. Comments, empty events and all fields but `data` are passed over.
 */
export class SseDecoder {
  /** The line that is not ended yet, in pieces: long lines may come byte by byte. */
  private open: string[] = [];
  private heldCr = '';
  private data: string[] = [];
  private heldCharacters = 0;

  /** How much is held of an event that is not complete. */
  get unfinished(): number {
    return this.heldCharacters;
  }

  /** The data of the events that this piece completes. */
  push(text: string): readonly string[] {
    this.heldCharacters += text.length;
    const whole = this.heldCr + text;
    this.heldCr = whole.endsWith('\r') ? '\r' : '';
    return this.take(this.heldCr === '' ? whole : whole.slice(0, -1));
  }

  /** The data of an event that the end of the stream left without its empty line. */
  end(): readonly string[] {
    const found = this.take(`${this.heldCr}\n`);
    return this.data.length > 0 ? [...found, this.dispatch()] : found;
  }

  private take(text: string): readonly string[] {
    const found: string[] = [];
    let start = 0;
    for (const { index, 0: lineEnd } of text.matchAll(LINE_END)) {
      this.open.push(text.slice(start, index));
      this.line(this.open.join(''), found);
      this.open = [];
      start = index + lineEnd.length;
      if (this.data.length === 0) this.heldCharacters = text.length - start;
    }
    if (start < text.length) this.open.push(text.slice(start));
    return found;
  }

  private line(line: string, found: string[]): void {
    if (line === '' && this.data.length > 0) found.push(this.dispatch());
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== 'data') return;
    const value = colon < 0 ? '' : line.slice(colon + 1);
    this.data.push(value.startsWith(' ') ? value.slice(1) : value);
  }

  private dispatch(): string {
    const text = this.data.join('\n');
    this.data = [];
    return text;
  }
}
