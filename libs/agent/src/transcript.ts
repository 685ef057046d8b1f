import type { AgentEvent, AgentRole } from '#model';
import { ByteLog } from '#virtfs';
import type { BlockAttributes } from './emit.js';
import { beginLine, ContentEscaper, endLine } from './markup.js';
import { plainBlock, type PlainBlock } from './plain-text.js';

interface OpenBlock {
  readonly role: AgentRole;
  readonly escaper: ContentEscaper;
  readonly plain: PlainBlock | undefined;
  /** First half of a character whose second half comes with the next delta. */
  half: string;
}

/**
 * What an agent has put out, as the two logs that clients read. Every event is appended to both as it
 * comes. Both are held while the agent is running, so that readers at the end wait for more.
 */
export class Transcript {
  /** Blocks with markers (chat.raw). */
  readonly raw = new ByteLog();
  /** Text for people (chat). */
  readonly plain = new ByteLog();
  private blocks = 0;
  private open: OpenBlock | undefined;

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
    this.raw.hold();
    this.plain.hold();
  }

  release(): void {
    this.raw.release();
    this.plain.release();
  }

  private begin(role: AgentRole, attributes: BlockAttributes): void {
    if (this.open !== undefined) throw new Error(`a ${role} block inside of a ${this.open.role} block`);
    const plain = plainBlock(role, attributes);
    this.open = { role, escaper: new ContentEscaper(), plain, half: '' };
    this.append(beginLine(role, { id: (this.blocks += 1), ...attributes }), plain?.begin());
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
    this.append(rest + endLine(open.role, nonl), open.plain?.end());
  }

  private content(open: OpenBlock, text: string): void {
    if (text !== '') this.append(open.escaper.push(text), open.plain?.delta(text));
  }

  private append(raw: string, plain = ''): void {
    if (raw !== '') this.raw.append(raw);
    if (plain !== '') this.plain.append(plain);
  }
}

function endsWithHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
