import type { Place } from '../place.js';
import type { CostEntry, ModelEntry } from './model-entry.js';
import type { PriceTier } from './prices.js';

const RATES = ['input', 'output', 'cacheRead', 'cacheWrite'] as const;
const FLAGS = ['tools', 'parallelCalls', 'images', 'temperature', 'reasoning'] as const;
const COUNTS = ['contextLength', 'maxOutputTokens'] as const;

/** A model of the file. Throws ConfigError, which names the place, for what it cannot be. */
export function readEntry(place: Place): ModelEntry {
  const fields = place.fields('cost', 'serviceTiers', 'efforts', 'aliases', ...FLAGS, ...COUNTS);
  return given({
    cost: fields.cost.maybe(readCost),
    serviceTiers: fields.serviceTiers.maybe(readMultipliers),
    efforts: fields.efforts.maybe(readWords),
    aliases: fields.aliases.maybe(readWords),
    ...Object.fromEntries(FLAGS.map((key) => [key, fields[key].maybe((flag) => flag.flag())])),
    ...Object.fromEntries(COUNTS.map((key) => [key, fields[key].maybe((count) => count.whole(1))])),
  });
}

/** What the cost of a request is multiplied by, for each way of being served. */
export function readMultipliers(place: Place): Readonly<Record<string, number>> {
  return Object.fromEntries(place.entries().map(([name, factor]) => [name, factor.amount()]));
}

export function readWords(place: Place): readonly string[] {
  return place.list().map((word) => word.text());
}

function readCost(place: Place): CostEntry {
  const fields = place.fields(...RATES, 'tiers');
  return given({
    tiers: fields.tiers.maybe((tiers) => tiers.list().map(readTier)),
    ...Object.fromEntries(RATES.map((rate) => [rate, fields[rate].maybe((value) => value.amount())])),
  });
}

function readTier(place: Place): PriceTier {
  const { inputTokensAbove, input, output, cacheRead, cacheWrite } = place.fields('inputTokensAbove', ...RATES);
  return {
    inputTokensAbove: inputTokensAbove.whole(1),
    input: input.amount(),
    output: output.amount(),
    cacheRead: cacheRead.amount(),
    cacheWrite: cacheWrite.amount(),
  };
}

type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is undefined. */
function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>; // fewer keys, the same values
}
