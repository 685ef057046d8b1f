import { ConfigError } from './errors.js';

const MILLISECONDS = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** `2s`, `1.5m`, `1h`, `250ms`, `0` in milliseconds. A number without a unit other than 0 is refused. */
export function parseDuration(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '0') return 0;
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(trimmed) ?? [];
  const factor = MILLISECONDS.get(unit ?? '');
  if (amount === undefined || factor === undefined) throw new ConfigError(`not a duration: ${text} (write 250ms, 2s, 5m or 1h)`);
  return Number(amount) * factor;
}
