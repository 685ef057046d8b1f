import { intersectNames } from './intersect.js';
import type { Layers } from './layers.js';
import type { ExplainedPolicy } from './policy.js';
import type { Setting } from './policy-document.js';
import { noEffect } from './project-layer.js';

type Settings = Pick<ExplainedPolicy, 'bestEffort' | 'network' | 'ldd' | 'addExec' | 'cell' | 'env' | 'origins' | 'envOrigins'>;
type Switch = 'bestEffort' | 'network' | 'ldd' | 'addExec';

const DEFAULTS: Readonly<Record<Switch, boolean>> = { bestEffort: true, network: true, ldd: false, addExec: false };
const KEYS: Readonly<Record<Switch, string>> = {
  bestEffort: 'general.best_effort',
  network: 'network.enabled',
  ldd: 'advanced.ldd',
  addExec: 'advanced.add_exec',
};

/** Every switch and the variables. Of all files the base alone says `true`, a trusted project besides; each of them may say `false`. */
export function settingsOf(layers: Layers, notes: string[]): Settings {
  const bestEffort = decided(layers, 'bestEffort', notes);
  const network = decided(layers, 'network', notes);
  const ldd = decided(layers, 'ldd', notes);
  const addExec = decided(layers, 'addExec', notes);
  const cell = cellOf(layers, notes);
  const { names, envOrigins } = variablesOf(layers, notes);
  return {
    bestEffort: bestEffort.value,
    network: network.value,
    ldd: ldd.value,
    addExec: addExec.value,
    cell: cell.value,
    env: names,
    origins: {
      bestEffort: bestEffort.origin,
      network: network.origin,
      ldd: ldd.origin,
      addExec: addExec.origin,
      cell: cell.origin,
    },
    envOrigins,
  };
}

/** The one switch that opens something when it is off. */
function cellOf({ base, project }: Layers, notes: string[]): Setting<boolean> {
  const start = base.cell ?? { value: true, origin: 'default' };
  const wish = project?.document.cell;
  if (project === undefined || wish?.value !== false || !start.value) return start;
  if (project.trusted) return wish;
  notes.push(noEffect(wish.origin, 'advanced.cell: false', project.document.file));
  return start;
}

function decided({ base, named, project }: Layers, key: Switch, notes: string[]): Setting<boolean> {
  const start = base[key] ?? { value: DEFAULTS[key], origin: 'default' };
  const widened = widenedBy(project, { key, start }, notes);
  const wishes = [named?.[key], project?.document[key]];
  return wishes.reduce<Setting<boolean>>((now, wish) => (now.value && wish?.value === false ? wish : now), widened);
}

function widenedBy(
  project: Layers['project'],
  { key, start }: { readonly key: Switch; readonly start: Setting<boolean> },
  notes: string[],
): Setting<boolean> {
  const wish = project?.document[key];
  if (project === undefined || wish?.value !== true || start.value) return start;
  if (project.trusted) return wish;
  notes.push(noEffect(wish.origin, `${KEYS[key]}: true`, project.document.file));
  return start;
}

function variablesOf(layers: Layers, notes: string[]): { readonly names: readonly string[]; readonly envOrigins: Record<string, string> } {
  const { base, named, project } = layers;
  const wishes = (project?.document.env ?? []).filter(({ value }) => !(base.env ?? []).some((known) => known.value === value));
  if (project?.trusted === false) notes.push(...wishes.map(({ value, origin }) => noEffect(origin, value, project.document.file)));
  const given = [...(base.env ?? []), ...(project?.trusted === true ? wishes : [])];
  const values = given.map(({ value }) => value);
  const limited =
    named?.env === undefined
      ? values
      : intersectNames(
          values,
          named.env.map(({ value }) => value),
        );
  const origins = new Map([...(named?.env ?? []), ...given].map(({ value, origin }) => [value, origin]));
  const names = [...new Set(limited)];
  return { names, envOrigins: Object.fromEntries(names.map((name) => [name, origins.get(name) ?? ''])) };
}
