import { isUtf8 } from 'node:buffer';
import { RESULT_MARK, withoutTornEnd } from '#model';

const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);
const MARK = Buffer.from(RESULT_MARK);

/**
 * What is shown of an output while it grows: the first `maxBytes` of it, in whole characters. Where it is no text, or a
 * result as JSON, the rest is not shown.
 */
export class LiveText {
  private held: Buffer = NOTHING;
  private shown = 0;
  private isAtLineStart = true;
  private over = false;

  constructor(private readonly maxBytes: number) {}

  /** True once nothing more will be shown. */
  get isOver(): boolean {
    return this.over;
  }

  /** What to show of the next piece; may be empty. `file` is where all of the output is. */
  push(bytes: Uint8Array, file: string): string {
    const all = Buffer.concat([this.held, bytes]);
    const text = this.mayBecomeResult(all) ? NOTHING : withoutTornEnd(all);
    this.held = all.subarray(text.length);
    if (this.isResult(all) || !isUtf8(text) || text.includes(0)) return this.end('');
    const room = this.maxBytes - this.shown;
    if (text.length <= room) return this.show(text);
    const start = this.show(withoutTornEnd(text.subarray(0, room)));
    return this.end(`${start}${this.isAtLineStart ? '' : '\n'}[the output goes on in ${file}]\n`);
  }

  private mayBecomeResult(all: Buffer): boolean {
    return this.shown === 0 && all.length < MARK.length && MARK.subarray(0, all.length).equals(all);
  }

  private isResult(all: Buffer): boolean {
    return this.shown === 0 && all.subarray(0, MARK.length).equals(MARK);
  }

  private show(text: Buffer): string {
    this.shown += text.length;
    if (text.length > 0) this.isAtLineStart = text.at(-1) === NEWLINE;
    return text.toString('utf8');
  }

  private end(last: string): string {
    this.over = true;
    this.held = NOTHING;
    return last;
  }
}
