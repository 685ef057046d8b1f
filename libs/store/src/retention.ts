import { ConfigError, type Environment, parseDuration } from '#config';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How long what nobody needs any more is kept, in milliseconds; Infinity = for ever. */
export interface Retention {
  /** Sessions and agents that were killed, from then on. */
  readonly killedMs: number;
  /** Large contents that no session that is left speaks of, since they were last put there. */
  readonly blobsMs: number;
}

/** OLLIE_KEEP_KILLED and OLLIE_KEEP_BLOBS: `30d`, `12h`, `never`; 30 and 90 days when they are not set. Throws ConfigError. */
export function retentionFrom(environment: Environment): Retention {
  return { killedMs: age(environment, 'OLLIE_KEEP_KILLED', 30), blobsMs: age(environment, 'OLLIE_KEEP_BLOBS', 90) };
}

function age(environment: Environment, name: string, days: number): number {
  const text = environment[name]?.trim() ?? '';
  if (text === '') return days * DAY_MS;
  if (text === 'never') return Infinity;
  const [, wholeDays] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (wholeDays !== undefined) return Number(wholeDays) * DAY_MS;
  try {
    return parseDuration(text);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${name}: ${text} is no age (write 30d, 12h or never)`);
  }
}
