import { join } from 'node:path';
import type { Paths } from '#config';
import { sameOrVariant, type IdForms } from './id-forms.js';
import { packagedModels, usersModels } from './load-models.js';
import { merged, type ModelEntry } from './model-entry.js';
import type { ModelFile, ProviderEntry } from './model-file.js';

const NAME = 'models.json';

/** A model, and in whose list it was found. */
export interface Found {
  readonly provider: string;
  readonly entry: ModelEntry;
}

/** The packaged list, which is read when it is first needed, and above it the user's. */
export class ModelLists {
  private readonly users: ModelFile;
  private madePackaged: ModelFile | undefined;

  /** Throws ConfigError for a file of the user's that cannot be used. */
  constructor(private readonly paths: Pick<Paths, 'config' | 'packaged'>) {
    this.users = usersModels(join(paths.config, NAME));
  }

  /** Of the packaged list, as `2026-11-20`; undefined as long as nothing has needed it. */
  get date(): string | undefined {
    return this.madePackaged?.date;
  }

  get providers(): ReadonlyMap<string, ProviderEntry> {
    return new Map([...this.packaged.providers, ...this.users.providers]);
  }

  get serviceTiers(): Readonly<Record<string, number>> {
    return { ...this.packaged.serviceTiers, ...this.users.serviceTiers };
  }

  /** What the user says of a backend by its name stands above what is found elsewhere. */
  find(backend: string, provider: string | undefined, model: string, forms: IdForms = sameOrVariant): Found | undefined {
    const found = this.listed(provider, model, forms);
    const entry = merged(found?.entry, this.entryIn([this.users], backend, forms(model)));
    return entry && { provider: found?.provider ?? backend, entry };
  }

  private listed(provider: string | undefined, model: string, forms: IdForms): Found | undefined {
    const places = [...(provider === undefined ? [] : [[provider, model] as const]), ...this.elsewhere(provider, model)];
    for (const [list, id] of places) {
      const entry = this.entryIn([this.packaged, this.users], list, forms(id));
      if (entry) return { provider: list, entry };
    }
    return undefined;
  }

  /** A router's ids name the provider. A server that nobody knows may pass on to those who alone have a model. */
  private elsewhere(provider: string | undefined, model: string): readonly (readonly [list: string, id: string])[] {
    const { providers } = this.packaged;
    const isRouter = provider !== undefined && providers.get(provider)?.routes === true;
    if (provider !== undefined && !isRouter) return [];
    const [, prefix, rest = ''] = /^([^/]+)\/(.+)$/.exec(model) ?? [];
    return [...providers].flatMap(([list, entry]) => {
      if (!isRouter && !entry.exclusive) return [];
      if (prefix !== undefined) return entry.prefix === prefix.toLowerCase() ? [[list, rest] as const] : [];
      return isRouter ? [] : [[list, model] as const];
    });
  }

  /** Under its own name and under that for which its name stands; of several files, the later stand above the earlier ones. */
  private entryIn(files: readonly ModelFile[], list: string, forms: readonly string[]): ModelEntry | undefined {
    for (const form of forms) {
      const meant = files.map((file) => file.idOf(list, form)).find((id) => id !== undefined);
      const ids = meant === undefined ? [form] : [meant, form];
      const entry = ids.flatMap((id) => files.map((file) => file.entry(list, id))).reduce(merged, undefined);
      if (entry) return entry;
    }
    return undefined;
  }

  private get packaged(): ModelFile {
    return (this.madePackaged ??= packagedModels(join(this.paths.packaged, NAME)));
  }
}
