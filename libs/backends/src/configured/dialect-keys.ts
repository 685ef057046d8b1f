import type { DialectName } from '../dialects.js';
import type { Place } from '../place.js';

/** What only one dialect has. */
const OWN_KEYS = [
  ['numCtx', 'ollama'],
  ['exchange', 'copilot'],
  ['tokenFile', 'kiro'],
  ['profileArn', 'kiro'],
  ['origin', 'kiro'],
] as const satisfies readonly (readonly [string, DialectName])[];

type OwnKey = (typeof OWN_KEYS)[number][0];

/** Throws ConfigError for a key of a backend or an account that means nothing in its dialect. */
export function demandOwnKeys(fields: Readonly<Partial<Record<OwnKey | 'quirks', Place>>>, dialect: DialectName): void {
  if (!dialect.startsWith('openai')) fields.quirks?.maybe((place) => place.fail('only a dialect of OpenAI has any'));
  for (const [key, owner] of OWN_KEYS)
    if (owner !== dialect) fields[key]?.maybe((place) => place.fail(`only the dialect ${owner} has one`));
}
