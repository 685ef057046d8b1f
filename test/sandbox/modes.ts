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
  return probed().includes('"cells":true');
}

/** Whether Landlock knows Unix sockets by their paths here. */
export function tellsSocketsApart(): boolean {
  return Number(/"landlock":(\d+)/.exec(probed())?.[1] ?? 0) >= 9;
}

function probed(): string {
  const helper = findHelper();
  return helper === undefined ? '' : spawnSync(helper, ['probe'], { encoding: 'utf8' }).stdout;
}

/** A `describe` for each mode; that of a mode which this host lacks is skipped, which CI counts as failed. */
export function describeModes(title: string, body: (mode: Mode) => void): void {
  const isHere = hasCells();
  for (const mode of modes) (isHere || !mode.cell ? describe : describe.skip)(`${title} (${mode.mode})`, () => body(mode));
}
