import { anyText, GENERATION_KEYS, GENERATION_VALUES, IllegalInputError, wholeFrom, type GenerationParams, type ParseValue } from '#model';
import type { SettingValues } from './agent-settings.js';

/** Makes the values after a change out of those before it. */
export type Edit = (values: SettingValues) => SettingValues;

/** A key of `cfg` that can be set. `edit` reads a text that is not empty, and throws for one that is no value. */
export interface CfgKey {
  /** Only while no turn runs. */
  readonly needsIdle: boolean;
  /** The change to a value, undefined for the default; undefined when the text is no value. */
  readonly edit: (text: string) => Edit | undefined;
}

const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/;

const word =
  <T extends string>(...allowed: readonly T[]): ParseValue<T> =>
  (text) =>
    allowed.find((one) => one === text);

const toolNames: ParseValue<readonly string[]> = (text) => {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name) => TOOL_NAME.test(name)) ? names : undefined;
};

/** The keys of `cfg` that can be set, but for those that are not the agent's alone to set. */
export const CFG_KEYS: ReadonlyMap<string, CfgKey> = new Map<string, CfgKey>([
  ['backend', { needsIdle: true, edit: setter('backend', anyText) }],
  ['model', { needsIdle: false, edit: setter('model', anyText) }],
  ['maxSteps', { needsIdle: false, edit: setter('maxSteps', wholeFrom(0)) }],
  ['compactionModel', { needsIdle: false, edit: setter('compactionModel', anyText) }],
  ['autoLoad', { needsIdle: false, edit: setter('autoLoad', toolNames) }],
  ['feed', { needsIdle: false, edit: setter('feed', word('manual', 'prompt')) }],
  ...GENERATION_KEYS.map((key): [string, CfgKey] => [key, { needsIdle: true, edit: paramSetter(key) }]),
]);

function setter<K extends Exclude<keyof SettingValues, 'cwd' | 'params'>>(
  key: K,
  parse: ParseValue<NonNullable<SettingValues[K]>>,
): CfgKey['edit'] {
  return (text) => {
    const value = text === '' ? undefined : parse(text);
    return value === undefined && text !== '' ? undefined : (values) => ({ ...values, [key]: value });
  };
}

function paramSetter(key: keyof GenerationParams): CfgKey['edit'] {
  return (text) => {
    const value = text === '' ? undefined : GENERATION_VALUES[key](text);
    if (value === undefined && text !== '') return undefined;
    return (values) => {
      const { [key]: _before, ...others } = values.params;
      return { ...values, params: value === undefined ? others : { ...others, [key]: value } };
    };
  };
}

/** Throws IllegalInputError for a text that is no value of this key. */
export function demandEdit(key: string, text: string, edit: Edit | undefined): Edit {
  if (!edit) throw new IllegalInputError('value', `${key}=${text}`);
  return edit;
}
