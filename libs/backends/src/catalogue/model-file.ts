import { Place } from '../place.js';
import type { ModelEntry } from './model-entry.js';
import { readEntry, readMultipliers, readWords } from './read-entry.js';

/** Who serves models. */
export interface ProviderEntry {
  readonly hosts: readonly string[];
  /** What a router puts before the ids of its models. */
  readonly prefix: string | undefined;
  /** Serves the models of others, with their prefix. */
  readonly routes: boolean;
  /** Nobody else has its models, so its prices hold wherever they are asked for. */
  readonly exclusive: boolean;
  /** Without an address it is on this machine. */
  readonly local: boolean;
}

interface ProviderPart extends ProviderEntry {
  /** By id in small letters; read when it is asked for. */
  readonly models: ReadonlyMap<string, Place>;
  /** From other names in small letters to ids. */
  readonly aliases: ReadonlyMap<string, string>;
}

/** A file of models, the packaged one or the user's. */
export class ModelFile {
  readonly date: string | undefined;
  readonly serviceTiers: Readonly<Record<string, number>>;
  private readonly parts: ReadonlyMap<string, ProviderPart>;

  /** Throws ConfigError, which names the place. What it says of the models is checked when it is read. */
  constructor(value: unknown, where: string) {
    const fields = new Place(value, where).fields('source', 'sha256', 'date', 'unit', 'serviceTiers', 'providers');
    this.date = fields.date.maybe((date) => date.text());
    this.serviceTiers = fields.serviceTiers.maybe(readMultipliers) ?? {};
    const providers = fields.providers.orEmpty().entries();
    this.parts = new Map(providers.map(([name, place]) => [name, readProvider(place)]));
  }

  get providers(): ReadonlyMap<string, ProviderEntry> {
    return this.parts;
  }

  /** The id that this alias stands for. */
  idOf(provider: string, alias: string): string | undefined {
    return this.parts.get(provider)?.aliases.get(alias.toLowerCase());
  }

  /** Throws ConfigError. */
  entry(provider: string, id: string): ModelEntry | undefined {
    const place = this.parts.get(provider)?.models.get(id.toLowerCase());
    return place && readEntry(place);
  }

  /** Throws ConfigError for the first model that says what cannot be. */
  check(): this {
    for (const { models } of this.parts.values()) for (const place of models.values()) readEntry(place);
    return this;
  }
}

function readProvider(place: Place): ProviderPart {
  const { hosts, prefix, routes, exclusive, local, models } = place.fields('hosts', 'prefix', 'routes', 'exclusive', 'local', 'models');
  const named = models
    .orEmpty()
    .entries()
    .map(([id, model]) => [id.toLowerCase(), model] as const);
  return {
    hosts: hosts.maybe(readWords) ?? [],
    prefix: prefix.maybe((text) => text.text()),
    routes: routes.maybe((flag) => flag.flag()) ?? false,
    exclusive: exclusive.maybe((flag) => flag.flag()) ?? false,
    local: local.maybe((flag) => flag.flag()) ?? false,
    models: new Map(named),
    aliases: new Map(named.flatMap(([id, model]) => aliasesOf(model).map((alias) => [alias.toLowerCase(), id] as const))),
  };
}

function aliasesOf(model: Place): readonly string[] {
  const aliases = model.entries().find(([key]) => key === 'aliases')?.[1];
  return aliases?.maybe(readWords) ?? [];
}
