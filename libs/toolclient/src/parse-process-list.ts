import { unescapeField } from '#model';
import type { ToolProcessInfo } from '#model';
import { MalformedAnswerError } from './errors.js';

export interface ProcessRow {
  readonly pid: number;
  readonly state: ToolProcessInfo['state'];
  readonly tool: string;
}

const ROW = /^([0-9]{1,15})\t(running|exited)\t(\S+)$/;

/** The rows of `proc/list`: pid, state and tool, separated by tabs. Throws MalformedAnswerError. */
export function parseProcessList(text: string): readonly ProcessRow[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(parseRow);
}

function parseRow(line: string): ProcessRow {
  const [, pid, state, tool] = ROW.exec(line) ?? [];
  if (pid === undefined || tool === undefined) throw new MalformedAnswerError(`proc/list: ${line.slice(0, 80)}`);
  return { pid: Number(pid), state: state === 'running' ? 'running' : 'exited', tool };
}

/** The `key=value` lines of `proc/{pid}/stat`, with `\t`, `\n` and `\\` in values undone. */
export function parseStatLines(text: string): ReadonlyMap<string, string> {
  const entries = text
    .split('\n')
    .filter((line) => line.includes('='))
    .map((line) => {
      const at = line.indexOf('=');
      return [line.slice(0, at), unescapeField(line.slice(at + 1))] as const;
    });
  return new Map(entries);
}
