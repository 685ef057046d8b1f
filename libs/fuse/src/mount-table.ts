import { readFileSync } from 'node:fs';

/** One line of /proc/self/mountinfo, as far as we want to know. */
export interface MountEntry {
  readonly directory: string;
  readonly type: string;
}

/** What is mounted, as this process sees it; what covers another comes later. */
export function mountTable(text: string = readFileSync('/proc/self/mountinfo', 'utf8')): readonly MountEntry[] {
  return text.split('\n').flatMap((line) => {
    const [before = '', after] = line.split(' - ');
    const directory = before.split(' ')[4];
    const type = after?.split(' ')[0];
    return directory === undefined || type === undefined ? [] : [{ directory: unescaped(directory), type }];
  });
}

/** Blanks, tabs, newlines and backslashes are written in octal; all else is plain UTF-8. */
function unescaped(text: string): string {
  return text.replace(/\\(\d{3})/g, (_all, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
