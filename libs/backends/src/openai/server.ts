import type { OpenAIOptions } from './options.js';
import { presetAt, presets } from './presets.js';
import type { Quirks } from './quirks.js';

/** Who is asked, as far as what is said to it depends on that. */
export interface Server {
  readonly name: string;
  /** Goes into no message. */
  readonly secret: string | undefined;
  readonly quirks: Quirks;
}

/** Its quirks are those of its preset but for what is said otherwise; parameters are replaced one by one. */
export function serverOf({ name, key: secret, baseUrl, quirks: { preset = presetAt(baseUrl), ...own } = {} }: OpenAIOptions): Server {
  const usual = presets[preset];
  return { name, secret, quirks: { ...usual, ...own, parameters: { ...usual.parameters, ...own.parameters } } };
}
