import { IllegalInputError, isJsonObject, parseJson, type GenerationParams, type JsonValue } from '#model';
import type { SettingValues } from './agent-settings.js';
import { GENERATION_KEYS } from './generation-keys.js';

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

type Parse<T> = (text: string) => T | undefined;

const anyText: Parse<string> = (text) => text;
const number: Parse<number> = (text) => (/^-?\d+(\.\d+)?(e-?\d{1,3})?$/i.test(text) ? Number(text) : undefined);
const wholeFrom =
  (least: number): Parse<number> =>
  (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined;
const flag: Parse<boolean> = (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined);
const word =
  <T extends string>(...allowed: readonly T[]): Parse<T> =>
  (text) =>
    allowed.find((one) => one === text);

/** A type of answer by its name, or an object that describes it. */
const format: Parse<NonNullable<JsonValue>> = (text) => {
  if (/^\w+$/.test(text)) return text;
  const value = json(text);
  return value !== undefined && isJsonObject(value) ? value : undefined;
};

const texts: Parse<readonly string[]> = (text) => {
  const value = json(text);
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
};

const toolNames: Parse<readonly string[]> = (text) => {
  const names = text.split(',').map((name) => name.trim());
  return names.every((name) => TOOL_NAME.test(name)) ? names : undefined;
};

const PARAMS: { readonly [K in keyof GenerationParams]-?: Parse<NonNullable<GenerationParams[K]>> } = {
  maxTokens: wholeFrom(1),
  maxCompletionTokens: wholeFrom(1),
  temperature: number,
  topP: number,
  topK: wholeFrom(0),
  minP: number,
  topA: number,
  frequencyPenalty: number,
  presencePenalty: number,
  repetitionPenalty: number,
  thinkingBudget: wholeFrom(0),
  reasoningEffort: anyText,
  includeReasoning: flag,
  responseFormat: format,
  stop: texts,
  verbosity: anyText,
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
  parse: Parse<NonNullable<SettingValues[K]>>,
): CfgKey['edit'] {
  return (text) => {
    const value = text === '' ? undefined : parse(text);
    return value === undefined && text !== '' ? undefined : (values) => ({ ...values, [key]: value });
  };
}

function paramSetter(key: keyof GenerationParams): CfgKey['edit'] {
  return (text) => {
    const value = text === '' ? undefined : PARAMS[key](text);
    if (value === undefined && text !== '') return undefined;
    return (values) => {
      const { [key]: _before, ...others } = values.params;
      return { ...values, params: value === undefined ? others : { ...others, [key]: value } };
    };
  };
}

function json(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Throws IllegalInputError for a text that is no value of this key. */
export function demandEdit(key: string, text: string, edit: Edit | undefined): Edit {
  if (!edit) throw new IllegalInputError('value', `${key}=${text}`);
  return edit;
}
