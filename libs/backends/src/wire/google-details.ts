import { isJsonObject, type JsonObject } from '#model';
import { listField, objectField, textField } from './json-fields.js';
import { durationMs } from './retry-after.js';

/** What the `details` of an error in Google's form tell. */
export interface GoogleDetails {
  /** `API_KEY_INVALID`, ...; empty when none is told. */
  readonly reason: string;
  readonly retryAfterMs?: number;
  /** How long the used-up share is used up for; `short`: a minute or so. */
  readonly quota?: 'day' | 'short';
}

const PER_DAY = /per[ _-]?day|daily|QUOTA_EXHAUSTED/i;
const QUOTA_NAMES = ['quotaId', 'quotaMetric', 'quota_limit', 'quota_unit'] as const;

/** Of an error without details all is empty. */
export function googleDetails(error: JsonObject): GoogleDetails {
  const details = listField(error, 'details').filter(isJsonObject);
  const infos = details.map((detail) => objectField(detail, 'metadata') ?? {});
  const reason = details.map((detail) => textField(detail, 'reason')).find(Boolean) ?? '';
  const retryAfterMs = firstDuration(details, 'retryDelay') ?? firstDuration(infos, 'quotaResetDelay');
  const violations = details.flatMap((detail) => listField(detail, 'violations').filter(isJsonObject));
  const names = [...violations, ...infos].flatMap((one) => QUOTA_NAMES.flatMap((name) => textField(one, name) ?? []));
  const isDaily = [reason, ...names].some((name) => PER_DAY.test(name));
  const isTold = names.length > 0 || retryAfterMs !== undefined;
  return {
    reason,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(isDaily ? { quota: 'day' } : isTold ? { quota: 'short' } : {}),
  };
}

function firstDuration(objects: readonly JsonObject[], key: string): number | undefined {
  return objects.map((one) => durationMs(textField(one, key) ?? '')).find((ms) => ms !== undefined && ms > 0);
}
