import type { ModelCapabilities, ModelFacts } from '#model';
import type { PriceTier, Rates } from './prices.js';

/** What a file says of the costs of a model. */
export type CostEntry = Partial<Rates> & { readonly tiers?: readonly PriceTier[] };

/** What a file says of a model; every key may be missing. */
export interface ModelEntry extends ModelCapabilities {
  readonly cost?: CostEntry;
  readonly serviceTiers?: Readonly<Record<string, number>>;
  readonly contextLength?: number;
  /** Other names that it has. */
  readonly aliases?: readonly string[];
}

/** Both, field by field; where both say something, `above` counts. */
export function merged(below: ModelEntry | undefined, above: ModelEntry | undefined): ModelEntry | undefined {
  if (!below || !above) return above ?? below;
  const cost = below.cost || above.cost ? { cost: { ...below.cost, ...above.cost } } : {};
  return { ...below, ...above, ...cost, serviceTiers: { ...below.serviceTiers, ...above.serviceTiers } };
}

export function factsOf({ cost: _cost, serviceTiers: _tiers, aliases: _aliases, contextLength, ...capabilities }: ModelEntry): ModelFacts {
  return { ...(contextLength === undefined ? {} : { contextLength }), capabilities };
}
