import type { Connection } from '../connection.js';
import { presetAt, presets } from './presets.js';
import type { Quirks } from './quirks.js';

/** The quirks of a server: those of its preset but for what is said otherwise. Parameters are replaced one by one. */
export function quirksOf({ baseUrl, quirks: { preset = presetAt(baseUrl), ...own } = {} }: Pick<Connection, 'baseUrl' | 'quirks'>): Quirks {
  const usual = presets[preset];
  return { ...usual, ...own, parameters: { ...usual.parameters, ...own.parameters } };
}
