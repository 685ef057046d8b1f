import type { GenerationParams } from './generation-params.js';
import { isJsonObject, jsonIn, type JsonValue } from './json.js';

/** The generation parameters in the order of `cfg`. */
export const GENERATION_KEYS = [
  'maxTokens',
  'maxCompletionTokens',
  'temperature',
  'topP',
  'topK',
  'minP',
  'topA',
  'frequencyPenalty',
  'presencePenalty',
  'repetitionPenalty',
  'thinkingBudget',
  'reasoningEffort',
  'includeReasoning',
  'responseFormat',
  'stop',
  'verbosity',
] as const satisfies readonly (keyof GenerationParams)[];

/** Reads a text that is not empty; undefined when it is no value. */
export type ParseValue<T> = (text: string) => T | undefined;

export const anyText: ParseValue<string> = (text) => text;

export function wholeFrom(least: number): ParseValue<number> {
  return (text) => (/^\d{1,9}$/.test(text) && Number(text) >= least ? Number(text) : undefined);
}

const number: ParseValue<number> = (text) => (/^-?\d+(\.\d+)?(e-?\d{1,3})?$/i.test(text) ? Number(text) : undefined);
const flag: ParseValue<boolean> = (text) => (text === 'true' || text === 'false' ? text === 'true' : undefined);

/** A type of answer by its name, or an object that describes it. */
const format: ParseValue<NonNullable<JsonValue>> = (text) => {
  if (/^\w+$/.test(text)) return text;
  const value = jsonIn(text);
  return value !== undefined && isJsonObject(value) ? value : undefined;
};

const texts: ParseValue<readonly string[]> = (text) => {
  const value = jsonIn(text);
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
};

/** What texts stand for which values of the generation parameters, in `cfg` as on command lines. */
export const GENERATION_VALUES: { readonly [K in keyof GenerationParams]-?: ParseValue<NonNullable<GenerationParams[K]>> } = {
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
