import { createHash } from 'node:crypto';
import type { ToolSchema } from '#model';

const DIGITS = 6;

/** Six hex digits that differ when the tools or the system message of two requests do. */
export function prefixMark(system: string, tools: readonly ToolSchema[]): string {
  return createHash('sha256')
    .update(JSON.stringify([tools, system]))
    .digest('hex')
    .slice(0, DIGITS);
}
