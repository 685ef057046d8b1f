import { ConfigError, parseDuration } from '#config';
import type { Place } from '../place.js';
import type { Patience } from '../wire/exchange.js';
import { DEFAULT_PATIENCE } from '../wire/http-backend.js';

const LONGEST_MS = 86_400_000;

/** Who waits long for a byte waits at least as long for one of substance. */
export function readPatience(field: { readonly idleTimeout: Place; readonly progressTimeout: Place }): Partial<Patience> {
  const idleMs = field.idleTimeout.maybe(readDuration);
  const progressMs = field.progressTimeout.maybe(readDuration) ?? (idleMs && Math.max(idleMs, DEFAULT_PATIENCE.progressMs));
  return { ...(idleMs !== undefined && { idleMs }), ...(progressMs !== undefined && { progressMs }) };
}

function readDuration(place: Place): number {
  const ms = durationOf(place);
  return ms >= 1 && ms <= LONGEST_MS ? ms : place.fail('expected something from 1ms to 24h');
}

function durationOf(place: Place): number {
  try {
    return parseDuration(place.text());
  } catch (error) {
    if (error instanceof ConfigError) return place.fail('expected a duration, as 90s or 5m');
    throw error;
  }
}
