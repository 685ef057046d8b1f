import type { AgentRole, JsonValue } from '#model';
import type { BlockAttributes } from './emit.js';

const BARE = /^[A-Za-z0-9._:/+-]*$/;
const FIRST_MARKER = /^(\\*)\[\[\[/;
const LATER_MARKER = /(\n\\*)\[\[\[/g;
const ESCAPED = '$1\\[[[';
const OPEN_HEAD = /^\\*(\[{0,2})$/;

/** `[[[role key=value ...]]]` and a newline. */
export function beginLine(role: AgentRole, attributes: BlockAttributes): string {
  const words = Object.entries(attributes).map(([key, value]) => ` ${key}=${attributeValue(value)}`);
  return `[[[${role}${words.join('')}]]]\n`;
}

/** The end line; `nonl` says that the content's last newline is not its own. */
export function endLine(role: string, nonl: boolean): string {
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
 * unambiguous. At most two characters of a line's head are kept back until they are decided. The backslash
 * goes before the brackets: among backslashes all places are the same, and so none of them waits.
 */
export class ContentEscaper {
  /** Nothing but backslashes and the held brackets is there of the last line. */
  private inHead = true;
  private held = '';
  private lineIsEmpty = true;

  /** So many characters of what was pushed have not been given yet. */
  get heldLength(): number {
    return this.held.length;
  }

  push(text: string): string {
    if (text === '') return '';
    const input = this.held + text;
    const first = this.inHead ? input.replace(FIRST_MARKER, ESCAPED) : input;
    const output = first.replaceAll(LATER_MARKER, ESCAPED);
    const lineStart = input.lastIndexOf('\n') + 1;
    const head = lineStart > 0 || this.inHead ? OPEN_HEAD.exec(input.slice(lineStart)) : null;
    this.inHead = head !== null;
    this.held = head?.[1] ?? '';
    this.lineIsEmpty = lineStart === input.length;
    return output.slice(0, output.length - this.held.length);
  }

  /** What is left, and the newline that the content may lack. */
  finish(): { readonly rest: string; readonly nonl: boolean } {
    const nonl = !this.lineIsEmpty;
    return { rest: this.held + (nonl ? '\n' : ''), nonl };
  }
}
