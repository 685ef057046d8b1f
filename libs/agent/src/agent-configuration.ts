import { type Log, messageOf } from '#config';
import {
  BusyError,
  IllegalInputError,
  NotFoundError,
  PartnerError,
  BackendError,
  type Backend,
  type BackendCatalog,
  type GivenName,
  type ModelInfo,
} from '#model';
import { listModels, toldModels } from './agent-models.js';
import type { AgentSettings, SettingValues } from './agent-settings.js';
import type { AgentSurroundings } from './agent-surroundings.js';
import { BackendChoice } from './backend-choice.js';
import { parseCfgLines, type CfgChange } from './cfg-change.js';
import { NotConfiguredError } from './errors.js';

/** So long a backend may take to tell its models. */
const LEARN_MS = 15_000;

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
  private models: readonly ModelInfo[] = [];
  private learnt = '';

  constructor(private readonly parts: ConfigurationParts) {}

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
    this.models = await listModels(backend, signal);
    return marked(
      this.models.map(({ id }) => id),
      choice.modelName,
    );
  }

  profileLines(): string {
    return marked(this.parts.surroundings.profiles(), this.parts.settings.profile.name);
  }

  /** Asks the backend how much fits into the present model, once for each choice of backend and model. Nobody waits for it. */
  learn(): void {
    const choice = this.choice(this.parts.settings.values);
    const { backendName, modelName } = choice;
    const wanted = `${backendName}\0${modelName}`;
    if (this.learnt === wanted || !this.parts.backends.names().includes(backendName)) return;
    this.learnt = wanted;
    const backend = choice.chosen();
    if (backend) void this.ask(backend);
  }

  /** In tokens; undefined as long as the backend has not told. */
  contextLength(model: string): number | undefined {
    return this.models.find(({ id }) => id === model)?.contextLength;
  }

  /** Never rejects: what could not be learnt is asked for again with the next turn. */
  private async ask(backend: Backend): Promise<void> {
    try {
      this.models = await listModels(backend, AbortSignal.timeout(LEARN_MS));
    } catch (error) {
      this.learnt = '';
      const isExpected = error instanceof PartnerError || error instanceof BackendError;
      this.parts.log[isExpected ? 'debug' : 'error'](`models of ${backend.name}: ${messageOf(error)}`);
    }
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
    this.models = models;
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
