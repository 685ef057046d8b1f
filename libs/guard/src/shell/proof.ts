import type { Unknowns } from '../words/unknown.js';

/** Values that are not empty for sure: the mark of each, and the mark of the same value without a way to be empty. */
export type Proven = ReadonlyMap<string, string>;

/** What is sure where a statement has ended: undefined if nothing behind it is reached. */
export type Proof = Proven | undefined;

/** What is sure once a statement succeeded, and once it failed. */
export interface Status {
  readonly success: Proof;
  readonly failure: Proof;
}

export const NOTHING: Proven = new Map();
export const UNKNOWN: Status = { success: NOTHING, failure: NOTHING };
export const LEFT: Status = { success: undefined, failure: undefined };

export function hasLeft({ success, failure }: Status): boolean {
  return success === undefined && failure === undefined;
}

/** Sure where both have been. */
export function both(one: Proof, other: Proof): Proof {
  if (one === undefined || other === undefined) return undefined;
  if (one.size === 0) return other;
  return other.size === 0 ? one : new Map([...one, ...other]);
}

/** Sure where one of them has been, nobody knows which. */
export function either(one: Proof, other: Proof): Proof {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.size === 0 || other.size === 0) return NOTHING;
  return new Map([...one].filter(([mark]) => other.has(mark)));
}

/** That this value is not empty. Nothing follows for one that has several parts: one of them may be. */
export function nonEmpty(value: string | undefined, unknowns: Unknowns): Proven {
  const settled = value === undefined ? undefined : settle(value, unknowns);
  return value === undefined || settled === undefined ? NOTHING : new Map([[value, settled]]);
}

function settle(value: string, unknowns: Unknowns): string | undefined {
  const unknown = value.length === 1 ? unknowns.of(value) : undefined;
  if (unknown === undefined || (unknown.empty === 'never' && unknown.choices === undefined)) return undefined;
  const choices = unknown.choices?.filter((choice) => choice !== '').map((choice) => settle(choice, unknowns) ?? choice);
  return unknowns.add({ ...unknown, empty: 'never', ...(choices === undefined ? {} : { choices }) });
}
