import { readFileSync } from 'node:fs';
import { errnoOf } from '#config';

const AFTER_NAME = /\) (.*)$/s;
/** Place of the start time among the fields behind the name in /proc/PID/stat. */
const START = 19;

/** When a process began, in clock ticks since the boot; undefined when there is none of that number. With its number it is unique. */
export function processStart(pid: number): string | undefined {
  try {
    const [, fields = ''] = AFTER_NAME.exec(readFileSync(`/proc/${String(pid)}/stat`, 'utf8')) ?? [];
    const words = fields.split(' ');
    return words[0] === 'Z' || words[0] === 'X' ? undefined : words[START];
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}
