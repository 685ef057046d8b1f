import type { AgentEvent, AgentRole } from '#model';
import { ByteLog, type ByteSequence } from '#virtfs';
import type { BlockAttributes } from './emit.js';
import { beginLine, ContentEscaper, endLine } from './markup.js';
import type { Block } from './parse-markup.js';
import { plainBlock, type PlainBlock } from './plain-text.js';
import { TRANSCRIPT_START, type TranscriptMark } from './transcript-mark.js';
import { closeRaw, followRaw } from './transcript-repair.js';

interface OpenBlock {
  readonly role: AgentRole;
  readonly escaper: ContentEscaper;
  readonly plain: PlainBlock | undefined;
  /** First half of a character whose second half comes with the next delta. */
  half: string;
  /** What neither log has been given yet, because the one cannot: chat never says what chat.raw does not. */
  held: string;
}

const NOTHING = { raw: '', plain: '' };

/** What keeps the bytes of both logs. */
export interface KeptTranscript {
  readonly raw: ByteSequence & { shorten(length: number): void };
  /** While it is held its bytes need not be kept at once: raw tells them too, and after a sudden death all that ran are looked at first. */
  readonly plain: ByteSequence & { hold(): void; release(): void };
}

/**
 * What an agent has put out, as the two logs that clients read. Every event is appended to both as it
 * comes. Both are held while the agent is running, so that readers at the end wait for more.
 */
export class Transcript {
  private madeRaw: ByteLog | undefined;
  private madePlain: ByteLog | undefined;
  /** Undefined until the end of what is there was looked at. */
  private blocks: number | undefined;
  private open: OpenBlock | undefined;
  /** How the open block begins, as long as nothing of it was written: it goes out with what comes first. */
  private begun = NOTHING;

  /** `start`: where an earlier process has begun the newest turn, as far as is known. */
  constructor(
    private readonly kept?: KeptTranscript,
    private readonly start: () => TranscriptMark | undefined = () => undefined,
  ) {}

  /** Blocks with markers (chat.raw). */
  get raw(): ByteLog {
    return (this.madeRaw ??= new ByteLog(this.kept?.raw));
  }

  /** Text for people (chat). */
  get plain(): ByteLog {
    return (this.madePlain ??= new ByteLog(this.kept?.plain));
  }

  /** An Emit that numbers the blocks. */
  readonly write = (event: AgentEvent): void => {
    switch (event.type) {
      case 'begin':
        this.begin(event.role, event.attributes);
        break;
      case 'delta':
        this.delta(event.text);
        break;
      case 'end':
        this.end();
        break;
    }
  };

  hold(): void {
    this.kept?.plain.hold();
    this.raw.hold();
    this.plain.hold();
  }

  release(): void {
    this.kept?.plain.release();
    this.raw.release();
    this.plain.release();
  }

  /** Where both logs end now, between two blocks. */
  get mark(): TranscriptMark {
    if (this.blocks === undefined) this.resume();
    return { raw: this.raw.length, plain: this.plain.length };
  }

  /**
   * Makes whole what an earlier process was writing when it died: its last block is ended, and `chat` says all that
   * chat.raw does. `prompt`: that of the turn which it was in. Gives the blocks of the newest turn.
   */
  resume(prompt?: string): readonly Block[] {
    const start = this.start() ?? TRANSCRIPT_START;
    this.blocks = closeRaw(this.raw, (length) => this.kept?.raw.shorten(length), prompt);
    return followRaw(this.raw, this.plain, start);
  }

  private begin(role: AgentRole, attributes: BlockAttributes): void {
    if (this.open !== undefined) throw new Error(`a ${role} block inside of a ${this.open.role} block`);
    const plain = plainBlock(role, attributes);
    this.open = { role, escaper: new ContentEscaper(), plain, half: '', held: '' };
    this.begun = { raw: beginLine(role, { id: this.nextBlock(), ...attributes }), plain: plain?.begin() ?? '' };
  }

  private nextBlock(): number {
    if (this.blocks === undefined) this.resume();
    this.blocks = (this.blocks ?? 0) + 1;
    return this.blocks;
  }

  private delta(text: string): void {
    const { open } = this;
    if (open === undefined) throw new Error('a delta outside of a block');
    const joined = open.half + text;
    open.half = endsWithHalf(joined) ? joined.slice(-1) : '';
    this.content(open, joined.slice(0, joined.length - open.half.length));
  }

  private end(): void {
    const { open } = this;
    if (open === undefined) throw new Error('an end outside of a block');
    this.open = undefined;
    this.content(open, open.half);
    const { rest, nonl } = open.escaper.finish();
    const plain = (open.held === '' ? '' : (open.plain?.delta(open.held) ?? '')) + (open.plain?.end() ?? '');
    this.append(rest + endLine(open.role, nonl), plain);
  }

  private content(open: OpenBlock, text: string): void {
    if (text === '') return;
    const raw = open.escaper.push(text);
    const all = open.held + text;
    const shown = all.length - open.escaper.heldLength;
    open.held = all.slice(shown);
    this.append(raw, shown === 0 ? '' : open.plain?.delta(all.slice(0, shown)));
  }

  private append(raw: string, plain = ''): void {
    const { begun } = this;
    this.begun = NOTHING;
    if (begun.raw + raw !== '') this.raw.append(begun.raw + raw);
    if (begun.plain + plain !== '') this.plain.append(begun.plain + plain);
  }
}

function endsWithHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
