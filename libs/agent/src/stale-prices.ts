const DAY_MS = 86_400_000;
const FRESH_DAYS = 90;

/** The day of a list of prices that is too old to be trusted without a look at it; undefined for a newer one, and for none. */
export function stalePrices(date: string | undefined, nowMs: number): string | undefined {
  return date !== undefined && nowMs - Date.parse(date) > FRESH_DAYS * DAY_MS ? date : undefined;
}
