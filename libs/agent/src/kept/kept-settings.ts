import { GENERATION_KEYS } from '#model';
import type { AgentSettings, SettingValues } from '../agent-settings.js';
import { CFG_KEYS } from '../cfg-keys.js';
import { parameterText } from '../cfg-text.js';

/** Values as `cfg` writes them, by key; empty = the default. */
export type KeptSettings = Readonly<Record<string, string>>;

/** What of `values` is neither in the columns of an index nor what the profile says. */
export function settingsForm({ profile }: AgentSettings, { compactionModel, autoLoad, feed, params }: SettingValues): KeptSettings {
  const own: readonly (readonly [string, string | undefined])[] = [
    ['compactionModel', compactionModel],
    ['autoLoad', autoLoad?.join(',')],
    ['feed', feed],
    ...GENERATION_KEYS.map((key) => {
      const text = parameterText(params[key]);
      return [key, text === parameterText(profile.params[key]) ? undefined : text] as const;
    }),
  ];
  return Object.fromEntries(own.flatMap(([key, text]) => (text === undefined ? [] : [[key, text]])));
}

/** Puts the values back; what is no value any more is left out. */
export function restoreSettings(settings: AgentSettings, kept: KeptSettings): void {
  const edits = Object.entries(kept).flatMap(([key, text]) => CFG_KEYS.get(key)?.edit(text) ?? []);
  settings.change(edits.reduce((values, edit) => edit(values), settings.values));
}
