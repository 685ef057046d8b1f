import type { Paths } from '#config';
import type { ModelKnowledge } from '../wire/model-knowledge.js';
import { sameModel, sameOrVariant } from './id-forms.js';
import { factsOf } from './model-entry.js';
import { ModelLists, type Found } from './model-lists.js';
import { costOf, type Prices } from './prices.js';
import { serverAt } from './server-at.js';

/** Where a list says nothing of what is cached: shares of the price of input. */
const READ_SHARE: ReadonlyMap<string, number> = new Map([['anthropic', 0.1]]);
const USUAL_READ_SHARE = 0.5;
const WRITE_SHARE = 1.25;

/** Who asks for models, and where. */
export interface Asker {
  /** Of the backend: what the user's list says under this name is about it. */
  readonly name: string;
  readonly baseUrl: string | undefined;
  /** The provider that is asked without a `baseUrl`; undefined when there is none. */
  readonly provider: string | undefined;
}

/** What is known of models without asking for it: what they cost, how much they take, what they can. */
export class ModelCatalogue {
  private readonly lists: ModelLists;

  /** Throws ConfigError for a `models.json` of the user's that cannot be used. */
  constructor(paths: Pick<Paths, 'config' | 'packaged'>) {
    this.lists = new ModelLists(paths);
  }

  /** Of the packaged list, as `2026-11-20`; undefined as long as nothing has needed it. */
  get date(): string | undefined {
    return this.lists.date;
  }

  knowledgeFor(asker: Asker): ModelKnowledge {
    return {
      facts: (model) => {
        const found = this.find(asker, model);
        return found && factsOf(found.entry);
      },
      costOf: (model, usage) => {
        const prices = this.prices(asker, model);
        return prices && costOf(usage, prices);
      },
    };
  }

  private find({ name, ...address }: Asker, model: string): Found | undefined {
    return this.lists.find(name, serverAt(address, this.lists.providers).provider, model);
  }

  /** A model of this machine may have the name of another with more behind it: it has no price but its own. */
  private prices({ name, ...address }: Asker, model: string): Prices | undefined {
    const { provider, isLocal } = serverAt(address, this.lists.providers);
    const found = this.lists.find(name, provider, model, isLocal ? sameModel : sameOrVariant);
    return found && this.pricesOf(found);
  }

  private pricesOf({ provider, entry }: Found): Prices | undefined {
    const { input, output, cacheRead, cacheWrite, tiers = [] } = entry.cost ?? {};
    if (input === undefined || output === undefined) return undefined;
    return {
      input,
      output,
      cacheRead: cacheRead ?? input * (READ_SHARE.get(provider) ?? USUAL_READ_SHARE),
      cacheWrite: cacheWrite ?? input * WRITE_SHARE,
      tiers,
      serviceTiers: { ...this.lists.serviceTiers, ...entry.serviceTiers },
    };
  }
}
