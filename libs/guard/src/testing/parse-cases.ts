import { readFileSync } from 'node:fs';
import type { GuardContext } from '../verdict.js';

/** Where the commands of all case files run. */
export const PLACE: GuardContext = { cwd: '/home/dev/work/project', home: '/home/dev' };

export interface DangerousCase {
  readonly command: string;
  readonly rule: string;
  readonly verdict: 'deny' | 'ask';
}

export function dangerousCases(file: string): readonly DangerousCase[] {
  return lines(file).map((line) => JSON.parse(line) as DangerousCase); // written by us, checked by the test that uses it
}

/** One command a line: as it stands, or after `!json` as a JSON string, or after `!error` one that the shell refuses. */
export function ordinaryCommands(file: string): readonly string[] {
  return lines(file).map((line) => {
    if (file.endsWith('.jsonl')) return (JSON.parse(line) as { command: string }).command; // as above
    return line.startsWith('!json ') ? String(JSON.parse(line.slice(6))) : line.replace(/^!error /, '');
  });
}

function lines(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n').slice(0, -1);
}

const RANK = { allow: 0, warn: 1, ask: 2, deny: 3 } as const;

export function isAsStrict(verdict: keyof typeof RANK, wanted: keyof typeof RANK): boolean {
  return RANK[verdict] >= RANK[wanted];
}
