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
    const ends = new LineEnds(text);
    let start = 0;
    for (let end = ends.after(start); end >= 0; end = ends.after(start)) {
      if (this.open.length > 0 || mayMatter(text, start, end)) this.line(this.ended(text.slice(start, end)), found);
      start = end + (text.startsWith('\r\n', end) ? 2 : 1);
      if (this.data.length === 0) this.heldCharacters = text.length - start;
    }
    if (start < text.length) this.open.push(text.slice(start));
    return found;
  }

  private ended(rest: string): string {
    if (this.open.length === 0) return rest;
    const line = this.open.join('') + rest;
    this.open = [];
    return line;
  }

  private line(line: string, found: string[]): void {
    if (line === '' && this.data.length > 0) found.push(this.dispatch());
    if (line.startsWith('data:')) this.data.push(line.slice(line.startsWith(' ', 5) ? 6 : 5));
    else if (line === 'data') this.data.push('');
  }

  private dispatch(): string {
    const [only = '', ...more] = this.data;
    const text = more.length === 0 ? only : this.data.join('\n');
    this.data = [];
    return text;
  }
}

/** False for a line that is neither empty nor of data: most providers name each event in a line of its own. */
function mayMatter(text: string, start: number, end: number): boolean {
  return start === end || text.startsWith('data', start);
}

/** Where the lines of a text end, in order; what is not there is looked for once. */
class LineEnds {
  private lf: number;
  private cr: number;

  constructor(private readonly text: string) {
    this.lf = text.indexOf('\n');
    this.cr = text.indexOf('\r');
  }

  /** -1: no line ends at or behind `start`. */
  after(start: number): number {
    if (this.lf >= 0 && this.lf < start) this.lf = this.text.indexOf('\n', start);
    if (this.cr >= 0 && this.cr < start) this.cr = this.text.indexOf('\r', start);
    return this.cr < 0 || this.lf < 0 ? Math.max(this.lf, this.cr) : Math.min(this.lf, this.cr);
  }
}
