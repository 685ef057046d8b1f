import type { Log } from '#config';
import { BusyError, IllegalInputError, NotFoundError, type BackendCatalog, type GivenName } from '#model';
import { listModels, toldModels } from './agent-models.js';
import type { AgentSettings, SettingValues } from './agent-settings.js';
import type { AgentSurroundings } from './agent-surroundings.js';
import { BackendChoice } from './backend-choice.js';
import { parseCfgLines, type CfgChange } from './cfg-change.js';
import { NotConfiguredError } from './errors.js';
import { KnownModels } from './known-models.js';

/** What a change of an agent's settings has to do with. */
export interface ConfigurationParts {
  readonly settings: AgentSettings;
  readonly givenName: GivenName;
  readonly backends: BackendCatalog;
  readonly surroundings: AgentSurroundings;
  readonly isBusy: () => boolean;
  readonly log: Log;
  /** The directory that it was made with. */
  readonly madeIn: string;
}

/** Changes what an agent works with. What is refused changes nothing. */
export class AgentConfiguration {
  private readonly models: KnownModels;

  constructor(private readonly parts: ConfigurationParts) {
    this.models = new KnownModels(parts.log);
  }

  /**
   * `key=value` lines, all or none. Rejects with IllegalInputError, ReadOnlyError, NotFoundError (profile, backend, model, directory),
   * AlreadyExistsError, and BusyError for keys that are not to change while a turn runs.
   */
  async apply(lines: readonly string[], signal: AbortSignal): Promise<void> {
    const { settings, givenName } = this.parts;
    const change = parseCfgLines(lines);
    this.demandAllowed(change);
    const cwd = change.cwd === undefined ? undefined : await this.directory(change.cwd);
    await this.demandModel(edited(settings.values, change), signal);
    this.demandAllowed(change);
    if (change.name !== undefined && change.name !== givenName.value) givenName.change(change.name);
    settings.change(edited({ ...settings.values, ...(cwd !== undefined && { cwd }) }, change));
  }

  /** `* ` before the present one, `  ` before the others, one a line. Rejects with PartnerError. */
  async modelLines(signal: AbortSignal): Promise<string> {
    const choice = this.choice(this.parts.settings.values);
    const backend = choice.chosen();
    if (!backend) throw new NotConfiguredError('backend');
    const models = await listModels(backend, signal);
    this.models.set(backend.name, models);
    return marked(
      models.map(({ id }) => id),
      choice.modelName,
    );
  }

  profileLines(): string {
    return marked(this.parts.surroundings.profiles(), this.parts.settings.profile.name);
  }

  /** Asks the backend how much fits into the present model, once for each choice of backend and model. Nobody waits for it. */
  learn(): void {
    this.models.learn(this.choice(this.parts.settings.values));
  }

  /** Asks nobody any more. */
  close(): void {
    this.models.close();
  }

  /** Of the present model, in tokens, as its backend knows now, else as it once told. */
  get contextLength(): number | undefined {
    const choice = this.choice(this.parts.settings.values);
    const { backendName, modelName } = choice;
    return choice.configured()?.contextLength(modelName) ?? this.models.contextLength(backendName, modelName);
  }

  private demandAllowed({ needsIdle, profile }: CfgChange): void {
    const { settings, surroundings, isBusy } = this.parts;
    if (needsIdle && isBusy()) throw new BusyError('agent is busy');
    if (profile === undefined || profile === '' || profile === settings.profile.name) return;
    if (!surroundings.profiles().includes(profile)) throw new NotFoundError('profile', profile);
    throw new IllegalInputError('value', `agent=${profile}`);
  }

  private directory(path: string): Promise<string> {
    const { settings, surroundings, madeIn } = this.parts;
    return path === '' ? Promise.resolve(madeIn) : surroundings.directory(path, settings.values.cwd);
  }

  /** A backend that does not tell its models may have any. */
  private async demandModel(next: SettingValues, signal: AbortSignal): Promise<void> {
    const { values } = this.parts.settings;
    if (next.backend === values.backend && next.model === values.model) return;
    const backend = this.choice(next).chosen();
    if (!backend || next.model === undefined) return;
    const models = await toldModels(backend, signal);
    if (models.length > 0 && !models.some(({ id }) => id === next.model)) throw new NotFoundError('model', next.model);
    this.models.set(backend.name, models);
  }

  private choice({ backend, model }: SettingValues): BackendChoice {
    return new BackendChoice(this.parts.backends, { profile: this.parts.settings.profile, backend, model });
  }
}

function edited(values: SettingValues, { edits }: CfgChange): SettingValues {
  return edits.reduce((before, edit) => edit(before), values);
}

function marked(names: readonly string[], current: string): string {
  return names.map((name) => `${name === current ? '*' : ' '} ${name}\n`).join('');
}
