import type { Certainty } from '../rules/fact.js';
import type { Unknowns } from '../words/unknown.js';

/** Joins and tidies a path without looking at any file. */
export function resolvePath(directory: string, path: string): string {
  const full = path.startsWith('/') ? path : `${directory}/${path}`;
  const absolute = full.startsWith('/');
  const parts: string[] = [];
  for (const part of full.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `${absolute ? '/' : ''}${parts.join('/')}`;
}

export interface Possibility {
  readonly text: string;
  readonly certainty: Certainty;
}

const MAX_CHOICES = 16;

/** What a value may be: with each of its choices, and with its unset parts left out. Empty texts are left out. */
export function possibilities(value: string, unknowns: Unknowns): readonly Possibility[] {
  const texts = choices(value, unknowns);
  return texts.flatMap((text) => [{ text, certainty: 'certain' as const }, ...emptied(text, unknowns)]).filter(({ text }) => text !== '');
}

function emptied(text: string, unknowns: Unknowns): readonly Possibility[] {
  const kinds = new Set(unknowns.in(text).map(({ empty }) => empty));
  if (kinds.has('unset'))
    return [{ text: unknowns.replace(text, ({ empty }, mark) => (empty === 'never' ? mark : '')), certainty: 'unset' }];
  if (kinds.has('output'))
    return [{ text: unknowns.replace(text, ({ empty }, mark) => (empty === 'never' ? mark : '')), certainty: 'output' }];
  return [];
}

/** The value once for each choice that its first part with choices has. */
export function choices(value: string, unknowns: Unknowns): readonly string[] {
  const chosen = unknowns.in(value).find((unknown) => unknown.choices !== undefined);
  if (chosen?.choices === undefined) return [value];
  const texts = chosen.choices.map((choice) => unknowns.replace(value, (unknown, mark) => (unknown === chosen ? choice : mark)));
  return texts.flatMap((text) => choices(text, unknowns)).slice(0, MAX_CHOICES);
}
