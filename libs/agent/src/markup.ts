import type { AgentRole, JsonValue } from '#model';
import type { BlockAttributes } from './emit.js';

const BARE = /^[A-Za-z0-9._:/+-]*$/;
const LINE_HEAD = /(\\*)(\[{0,3})/y;

/** `[[[role key=value ...]]]` and a newline. */
export function beginLine(role: AgentRole, attributes: BlockAttributes): string {
  const words = Object.entries(attributes).map(([key, value]) => ` ${key}=${attributeValue(value)}`);
  return `[[[${role}${words.join('')}]]]\n`;
}

/** The end line; `nonl` says that the content's last newline is not its own. */
export function endLine(role: AgentRole, nonl: boolean): string {
  return `[[[/${role}${nonl ? ' nonl=1' : ''}]]]\n`;
}

/** The text of an attribute's value. */
export function attributeText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function attributeValue(value: JsonValue): string {
  const text = attributeText(value);
  return BARE.test(text) ? text : JSON.stringify(text);
}

/**
 * Escapes the content of one block while it streams: a line that begins with any number of backslashes
 * and `[[[` gets one backslash more, so that no line of content looks like a marker and the way back is
 * unambiguous. At most two characters of a line's head are kept back until they are decided.
 */
export class ContentEscaper {
  private inHead = true;
  private held = '';
  private lineIsEmpty = true;

  push(text: string): string {
    const input = this.held + text;
    this.held = '';
    let output = '';
    for (let at = 0; at < input.length;) {
      const piece = this.inHead ? this.head(input, at) : restOfLine(input, at);
      at += piece.length;
      output += this.inHead ? this.decide(piece, at === input.length) : this.body(piece);
    }
    return output;
  }

  /** What is left, and the newline that the content may lack. */
  finish(): { readonly rest: string; readonly nonl: boolean } {
    const nonl = !this.lineIsEmpty;
    return { rest: this.held + (nonl ? '\n' : ''), nonl };
  }

  private head(input: string, at: number): string {
    LINE_HEAD.lastIndex = at;
    return LINE_HEAD.exec(input)?.[0] ?? '';
  }

  /** The backslash goes before the brackets: among backslashes all places are the same, and so none of them waits. */
  private decide(head: string, atEnd: boolean): string {
    const brackets = head.replace(/^\\*/, '');
    const slashes = head.slice(0, head.length - brackets.length);
    if (head !== '') this.lineIsEmpty = false;
    if (atEnd && brackets.length < 3) {
      this.held = brackets;
      return slashes;
    }
    this.inHead = false;
    return brackets.length === 3 ? `${slashes}\\${brackets}` : head;
  }

  private body(piece: string): string {
    this.lineIsEmpty = piece.endsWith('\n');
    this.inHead = this.lineIsEmpty;
    return piece;
  }
}

function restOfLine(input: string, at: number): string {
  const newline = input.indexOf('\n', at);
  return newline < 0 ? input.slice(at) : input.slice(at, newline + 1);
}
