import { AbortedError, BackendCatalog, BackendError, NotFoundError, type Backend } from '#model';
import { settingOf, type BackendDefinition, type BackendSettings } from './backend-definition.js';
import { ModelCatalogue } from './catalogue/model-catalogue.js';

const MODELS_FRESH_MS = 300_000;

type Row = readonly [backend: string, model: string];

/** The configured ones of a list of definitions, in the list's order. Each backend is made when it is first asked for. */
export class BackendPool extends BackendCatalog {
  private readonly configured: ReadonlyMap<string, BackendDefinition>;
  private readonly made = new Map<string, Backend>();
  private readonly catalogue: ModelCatalogue;
  private listedAt = 0;

  /** Throws ConfigError for a `models.json` of the user's that cannot be used. */
  constructor(
    private readonly definitions: readonly BackendDefinition[],
    private readonly settings: BackendSettings,
    private readonly now: () => number = Date.now,
  ) {
    super();
    this.catalogue = new ModelCatalogue(settings.paths);
    this.configured = new Map(definitions.filter((one) => one.isConfigured(settings)).map((one) => [one.name, one]));
  }

  names(): readonly string[] {
    return [...this.configured.keys()];
  }

  get(name: string): Backend {
    const existing = this.made.get(name);
    if (existing) return existing;
    const definition = this.configured.get(name);
    if (!definition) throw new NotFoundError('backend', name);
    const backend = definition.make(this.settings, this.catalogue);
    this.made.set(name, backend);
    return backend;
  }

  preferred(): Backend | undefined {
    const wanted = settingOf(this.settings.env, 'OLLIE_BACKEND');
    if (wanted !== undefined && !this.definitions.some(({ name }) => name === wanted)) throw new NotFoundError('backend', wanted);
    const name = wanted ?? this.names().find((one) => one !== 'scripted');
    return name !== undefined && this.configured.has(name) ? this.get(name) : undefined;
  }

  /** The lists of the backends are asked for anew when they are older than five minutes. */
  async models(signal: AbortSignal): Promise<readonly Row[]> {
    if (this.now() - this.listedAt >= MODELS_FRESH_MS) this.invalidate();
    const lists = await Promise.all(this.names().map((name) => rowsOf(this.get(name), signal)));
    return lists.flat().toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  }

  override pricesDate(): string | undefined {
    return this.catalogue.date;
  }

  invalidate(): void {
    this.listedAt = this.now();
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
