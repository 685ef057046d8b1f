import { spawnSync } from 'node:child_process';
import { findHelper } from '#sandbox';

/** How a policy is enforced: by Landlock and the filter alone, or in private namespaces as well. */
export interface Mode {
  readonly mode: 'fallback' | 'cell';
  readonly cell: boolean;
}

export const modes: readonly Mode[] = [
  { mode: 'fallback', cell: false },
  { mode: 'cell', cell: true },
];

/** Whether this host makes cells. */
export function hasCells(): boolean {
  const helper = findHelper();
  return helper !== undefined && spawnSync(helper, ['probe'], { encoding: 'utf8' }).stdout.includes('"cells":true');
}

/** A `describe` for each mode; that of a mode which this host lacks is skipped, which CI counts as failed. */
export function describeModes(title: string, body: (mode: Mode) => void): void {
  const isHere = hasCells();
  for (const mode of modes) (isHere || !mode.cell ? describe : describe.skip)(`${title} (${mode.mode})`, () => body(mode));
}
