import { GENERATION_KEYS } from '#model';
import type { Place } from '../place.js';
import {
  PRESET_NAMES,
  REPLAY_FIELDS,
  SYSTEM_ROLES,
  THINKING_SWITCHES,
  TOOL_ID_FORMS,
  TOOL_IMAGES,
  type QuirkSettings,
  type Quirks,
} from './quirks.js';

type Readers = { readonly [K in keyof Required<QuirkSettings>]: (place: Place) => NonNullable<QuirkSettings[K]> };

const readers: Readers = {
  preset: (place) => place.oneOf(...PRESET_NAMES),
  parameters: readParameters,
  thinking: (place) => place.oneOf(...THINKING_SWITCHES),
  systemRole: (place) => place.oneOf(...SYSTEM_ROLES),
  toolIds: (place) => place.oneOf(...TOOL_ID_FORMS),
  toolImages: (place) => place.oneOf(...TOOL_IMAGES),
  replay: (place) => place.oneOf(...REPLAY_FIELDS),
  cacheMarks: (place) => place.flag(),
  promptCacheKey: (place) => place.flag(),
  streamUsage: (place) => place.flag(),
  body: (place) => Object.fromEntries(place.entries().map(([key, value]) => [key, value.json()])),
};

/** `quirks` as config.json has it. Throws ConfigError for what is none. */
export function readQuirks(place: Place): QuirkSettings {
  const keys = Object.keys(readers) as readonly (keyof Readers)[]; // the keys are known
  const fields = place.fields(...keys);
  const given = keys.flatMap((key) => {
    const value = fields[key].maybe<unknown>(readers[key]);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(given) as QuirkSettings; // under each key stands what its reader gives
}

function readParameters(place: Place): Quirks['parameters'] {
  const fields = place.fields(...GENERATION_KEYS);
  const named = new Set(place.entries().map(([key]) => key));
  return Object.fromEntries(
    GENERATION_KEYS.filter((key) => named.has(key)).map((key) => [key, fields[key].maybe((it) => it.text()) ?? null]),
  );
}
