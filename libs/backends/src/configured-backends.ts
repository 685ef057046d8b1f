import type { Environment } from '#config';
import { AbortedError, BackendCatalog, BackendError, NotFoundError, type Backend } from '#model';
import { settingOf } from './backend-definition.js';
import type { ModelCatalogue } from './catalogue/model-catalogue.js';

type Row = readonly [backend: string, model: string];

/** A backend that can be had under a name. `make` is called at most once, when it is first asked for. */
export interface Offer {
  readonly name: string;
  make(): Backend;
}

/** What a catalog goes by beside its offers. */
export interface CatalogWorld {
  /** Names that would be there if they were configured. */
  readonly known: readonly string[];
  readonly env: Environment;
  readonly models: Pick<ModelCatalogue, 'date'>;
}

/** The backends that are configured, in the order of the offers. */
export class ConfiguredBackends extends BackendCatalog {
  private readonly offers: ReadonlyMap<string, Offer>;
  private readonly made = new Map<string, Backend>();

  constructor(
    offers: readonly Offer[],
    private readonly world: CatalogWorld,
  ) {
    super();
    this.offers = new Map(offers.map((offer) => [offer.name, offer]));
  }

  names(): readonly string[] {
    return [...this.offers.keys()];
  }

  get(name: string): Backend {
    const existing = this.made.get(name);
    if (existing) return existing;
    const offer = this.offers.get(name);
    if (!offer) throw new NotFoundError('backend', name);
    const backend = offer.make();
    this.made.set(name, backend);
    return backend;
  }

  preferred(): Backend | undefined {
    const wanted = settingOf(this.world.env, 'OLLIE_BACKEND');
    if (wanted !== undefined && !this.offers.has(wanted) && !this.world.known.includes(wanted)) throw new NotFoundError('backend', wanted);
    const name = wanted ?? this.names().find((one) => one !== 'scripted');
    return name !== undefined && this.offers.has(name) ? this.get(name) : undefined;
  }

  async models(signal: AbortSignal): Promise<readonly Row[]> {
    const lists = await Promise.all(this.names().map((name) => rowsOf(this.get(name), signal)));
    return lists.flat().toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  }

  override pricesDate(): string | undefined {
    return this.world.models.date;
  }

  invalidate(): void {
    for (const backend of this.made.values()) backend.invalidate();
  }
}

async function rowsOf(backend: Backend, signal: AbortSignal): Promise<readonly Row[]> {
  try {
    const models = await backend.models(signal);
    return models.map(({ id }): Row => [backend.name, id]);
  } catch (error) {
    if (error instanceof BackendError && !(error instanceof AbortedError)) return [];
    throw error;
  }
}

function compare(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
