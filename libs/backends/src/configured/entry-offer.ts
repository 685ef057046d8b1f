import { expandTilde } from '#config';
import { AuthError, type Backend, type Clock } from '#model';
import { modelSettingOf, settingOf, type BackendDefinition, type BackendSettings } from '../backend-definition.js';
import type { ModelCatalogue } from '../catalogue/model-catalogue.js';
import type { Offer } from '../configured-backends.js';
import { defaultUrl, dialects, providerOf } from '../dialects.js';
import { runKeyCommand } from '../key/run-key-command.js';
import { loginPlace } from '../kiro/login-place.js';
import { Member, type MemberOptions } from '../pool/member.js';
import { PooledBackend, type PooledBackendOptions } from '../pool/pooled-backend.js';
import type { OnSwitch } from '../pool/pooled-answers.js';
import type { AccountEntry, BackendEntry } from './backend-entry.js';

/** What all backends share. */
export interface Surroundings {
  readonly settings: BackendSettings;
  readonly models: ModelCatalogue;
  readonly clock: Clock;
  /** Hears which backend's request leaves which account, and why. */
  readonly onSwitch: (backend: string, ...rest: Parameters<OnSwitch>) => void;
}

/** What the environment configures. The scripted backend has no accounts. */
export function definitionOffer(definition: BackendDefinition, surroundings: Surroundings): Offer {
  const { name } = definition;
  const make = (): Backend => {
    const backend = definition.make(surroundings.settings, surroundings.models);
    return name === 'scripted'
      ? backend
      : pooled({ name, defaultModel: backend.defaultModel, members: [environmentMember(backend, undefined)] }, surroundings);
  };
  return { name, make };
}

/** What config.json configures; `definition` is that of the environment's account. */
export function entryOffer(entry: BackendEntry, definition: BackendDefinition | undefined, surroundings: Surroundings): Offer {
  const { name, accounts, concurrency } = entry;
  const { settings, models } = surroundings;
  const members = (): readonly Member[] =>
    accounts?.map((account) => entryMember(entry, account, surroundings)) ??
    (definition ? [environmentMember(definition.make(settings, models), concurrency)] : []);
  return { name, make: () => pooled({ name, defaultModel: defaultModelOf(entry, settings), members: members() }, surroundings) };
}

function pooled(options: Pick<PooledBackendOptions, 'name' | 'defaultModel' | 'members'>, { clock, onSwitch }: Surroundings): Backend {
  return new PooledBackend({ ...options, clock, onSwitch: (account, why) => onSwitch(options.name, account, why) });
}

function environmentMember(backend: Backend, concurrency: number | undefined): Member {
  return new Member({ name: 'default', concurrency, make: () => backend });
}

function entryMember(entry: BackendEntry, account: AccountEntry, { settings, models }: Surroundings): Member {
  const { name, concurrency, key, headers } = account;
  const { name: backend, dialect, patience, quirks, numCtx, exchange, origin } = entry;
  const baseUrl = account.url ?? defaultUrl(backend);
  const connection = {
    name: backend,
    baseUrl,
    headers,
    quirks,
    numCtx,
    exchange,
    origin,
    tokenFile: account.tokenFile && loginPlace(account.tokenFile, settings.env),
    profileArn: account.profileArn,
    defaultModel: defaultModelOf(entry, settings),
    patience: { ...patience, ...settings.patience },
    knowledge: models.knowledgeFor({ name: backend, baseUrl, provider: providerOf(dialect) }),
  };
  const text = key && 'text' in key ? key.text : undefined;
  const make = (told: string | undefined): Backend => dialects[dialect]({ ...connection, key: told ?? text }, settings);
  if (!key || 'text' in key) return new Member({ name, concurrency, make });
  return new Member({ name, concurrency, make, tellKey: byCommand(key.command, backend, settings) });
}

/** Who names the backend in the environment names its model there; else what stands in the file is nearer. */
function defaultModelOf({ name, defaultModel }: BackendEntry, { env }: BackendSettings): string | undefined {
  const isNamed = settingOf(env, 'OLLIE_BACKEND') === name;
  return (isNamed ? modelSettingOf(env, name) : undefined) ?? defaultModel ?? modelSettingOf(env, name);
}

type TellKey = NonNullable<MemberOptions['tellKey']>;

function byCommand(command: readonly string[], backend: string, { env, paths }: BackendSettings): TellKey {
  const [program = '', ...args] = command;
  const argv = [expandTilde(program, env.HOME ?? '~'), ...args];
  return async (signal) => {
    const outcome = await runKeyCommand({ argv, cwd: paths.config, env }, signal);
    if ('key' in outcome) return outcome.key;
    throw new AuthError(`${backend}: no key from ${program}: ${outcome.why}`, { backend, kind: 'key_command' });
  };
}
