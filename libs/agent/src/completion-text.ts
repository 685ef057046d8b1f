import type { ProcessEnd } from '#model';
import { limitText } from './limit-text.js';
import { endedLine, escapeAttribute, escapeText } from './xml-text.js';

/** Said of a process whose tool server has gone: it went with it, and its exit code is not known. */
export const LOST_EXIT = 'lost';

const MAX_BODY_BYTES = 32 * 1024;

/** What an agent is told of the end of a background process (contract 3.3). `exit` is the code, or what else is known of the end. */
export function completionText(pid: number, { command, output, isWhole }: ProcessEnd, exit: string): string {
  const rest = `[full output: proc/${pid}/out]\n`;
  const whole = endedLine(escapeText(output));
  const room = MAX_BODY_BYTES - rest.length - 1;
  const isCut = !isWhole || Buffer.byteLength(whole) > MAX_BODY_BYTES;
  const body = isCut ? `${limitText(whole, room).replace(/\n?$/, '\n')}${rest}` : whole;
  return `<system-proc-complete id="${pid}" cmd="${escapeAttribute(command)}" exit="${escapeAttribute(exit)}">\n${body}</system-proc-complete>`;
}
