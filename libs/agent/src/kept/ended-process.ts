import { escapeField, type JsonObject } from '#model';
import { bytesForm, bytesOf } from './plan-form.js';
import { numberOf, textOf } from './kept-values.js';

const MAX_ENDED = 256;
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;

/** A background process that has ended, as it is kept. */
export interface EndedProcess {
  readonly pid: number;
  readonly tool: string;
  readonly command: string;
  /** What its tool server said of it last, `key=value` lines. */
  readonly stat: string;
  /** What it put out, or how many bytes that are in a file of their own. */
  readonly output: Uint8Array | number;
}

export function outputLength({ output }: EndedProcess): number {
  return typeof output === 'number' ? output : output.length;
}

export function endedForm({ pid, tool, command, stat, output }: EndedProcess): JsonObject {
  return { pid, tool, command, stat, out: typeof output === 'number' ? output : bytesForm(output) };
}

export function endedOf({ pid, tool, command, stat, out }: JsonObject): EndedProcess {
  return {
    pid: numberOf(pid),
    tool: textOf(tool),
    command: textOf(command),
    stat: textOf(stat),
    output: typeof out === 'number' ? out : bytesOf(out),
  };
}

/** With one more; of many the newest 256 with at most 256 MiB of output. */
export function withEnded(all: readonly EndedProcess[], one: EndedProcess): readonly EndedProcess[] {
  const next = [...all.filter(({ pid }) => pid !== one.pid), one].slice(-MAX_ENDED);
  let room = MAX_OUTPUT_BYTES;
  const first = next.findLastIndex((process) => (room -= outputLength(process)) < 0);
  return next.slice(first + 1);
}

/** Of one whose end nobody saw. `words`: what is told of it. */
export function lostProcess({ pid, tool, command }: Pick<EndedProcess, 'pid' | 'tool' | 'command'>, words: string): EndedProcess {
  const stat = `id=${pid}\nstate=exited\ntool=${tool}\ncmd=${escapeField(command)}\nexit=lost\n`;
  return { pid, tool, command, stat, output: Buffer.from(words, 'utf8') };
}
