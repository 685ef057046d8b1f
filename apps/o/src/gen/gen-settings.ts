import { dialectNames, type BackendSettings, type DialectName } from '#backends';
import { GENERATION_KEYS, GENERATION_VALUES, wholeFrom, type GenerationParams } from '#model';
import { UsageError } from '#ninep-cli';

/** What `--set` has said. */
export interface GenSettings {
  readonly patience: NonNullable<BackendSettings['patience']>;
  /** The answer is given up after its first text. */
  readonly abortAfterText: boolean;
  readonly dialect: DialectName | undefined;
  readonly params: GenerationParams;
}

type Apply = (settings: GenSettings, text: string) => GenSettings | undefined;

const NONE: GenSettings = { patience: {}, abortAfterText: false, dialect: undefined, params: {} };

/** Other words for ways to ask. */
const OTHER_WORDS: ReadonlyMap<string, DialectName> = new Map([
  ['auto', 'openai'],
  ['chat', 'openai-chat'],
  ['responses', 'openai-responses'],
  ['anthropic-messages', 'anthropic'],
  ['codewhisperer', 'kiro'],
]);

const SETTINGS: ReadonlyMap<string, Apply> = new Map<string, Apply>([
  ['idle_timeout_ms', patienceSetter('idleMs')],
  ['progress_timeout_ms', patienceSetter('progressMs')],
  ['abort_after_text', (settings, text) => (isFlag(text) ? { ...settings, abortAfterText: text === 'true' } : undefined)],
  ['dialect', dialectSetter],
  ...GENERATION_KEYS.map((key): [string, Apply] => [key, paramSetter(key)]),
]);

/** Pairs of `KEY=VALUE`. Throws UsageError for what is no setting, and for a text that is no value of one. */
export function parseSettings(pairs: readonly string[]): GenSettings {
  return pairs.reduce(withSetting, NONE);
}

function dialectSetter(settings: GenSettings, text: string): GenSettings | undefined {
  const dialect = dialectNames.find((name) => name === text) ?? OTHER_WORDS.get(text);
  return dialect === undefined ? undefined : { ...settings, dialect };
}

function withSetting(settings: GenSettings, pair: string): GenSettings {
  const [, key = pair, text] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
  const apply = SETTINGS.get(key);
  if (!apply) throw new UsageError(`no such setting: ${key}; there are: ${[...SETTINGS.keys()].join(' ')}`);
  if (text === undefined) throw new UsageError(`--set takes KEY=VALUE, found: ${pair}`);
  const applied = apply(settings, text);
  if (!applied) throw new UsageError(`not a value of ${key}: ${text}`);
  return applied;
}

function patienceSetter(key: 'idleMs' | 'progressMs'): Apply {
  return (settings, text) => {
    const value = wholeFrom(1)(text);
    return value === undefined ? undefined : { ...settings, patience: { ...settings.patience, [key]: value } };
  };
}

function paramSetter(key: keyof GenerationParams): Apply {
  return (settings, text) => {
    const value = GENERATION_VALUES[key](text);
    return value === undefined || text === '' ? undefined : { ...settings, params: { ...settings.params, [key]: value } };
  };
}

function isFlag(text: string): boolean {
  return text === 'true' || text === 'false';
}
