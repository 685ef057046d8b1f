import { secretsIn } from '../secrets-in.js';
import type { Secrets } from '../wire/error-text.js';
import type { OpenAIOptions } from './options.js';
import { presetAt, presets } from './presets.js';
import type { PresetName, Quirks } from './quirks.js';

/** Who is asked, as far as what is said to it depends on that. */
export interface Server {
  readonly name: string;
  /** Goes into no message. */
  readonly secret: Secrets;
  readonly quirks: Quirks;
}

/** What is there: what is said, else what the address says. */
export function presetOf({ baseUrl, quirks }: OpenAIOptions): PresetName {
  return quirks?.preset ?? presetAt(baseUrl);
}

/** Its quirks are those of its preset but for what is said otherwise; parameters are replaced one by one. */
export function serverOf(options: OpenAIOptions): Server {
  const { preset: _preset, ...own } = options.quirks ?? {};
  const usual = presets[presetOf(options)];
  const parameters = { ...usual.parameters, ...own.parameters };
  return { name: options.name, secret: secretsIn(options, options.key), quirks: { ...usual, ...own, parameters } };
}
