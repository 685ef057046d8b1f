import type { ServerLimits } from '#ninep';
import { UsageError } from '#lifecycle';

const LIMITS: ReadonlyMap<string, keyof ServerLimits> = new Map([
  ['connections', 'maxConnections'],
  ['fids', 'maxFidsPerConnection'],
  ['requests', 'maxPendingPerConnection'],
  ['queue', 'highWaterBytes'],
  ['message', 'maxMessageBytes'],
  ['written', 'maxUnfinishedBytesPerConnection'],
]);

export const LIMIT_NAMES = [...LIMITS.keys()].join(' ');

/** Adds one `NAME=NUMBER` to the limits that were set before. Throws UsageError. */
export function withLimit(setting: string, earlier: Partial<ServerLimits> = {}): Partial<ServerLimits> {
  const [, name = '', digits = ''] = /^([a-z]+)=(\d{1,15})$/.exec(setting) ?? [];
  const limit = LIMITS.get(name);
  if (limit === undefined || Number(digits) === 0)
    throw new UsageError(`--limit: ${setting} is not NAME=NUMBER with one of ${LIMIT_NAMES}`);
  return { ...earlier, [limit]: Number(digits) };
}
