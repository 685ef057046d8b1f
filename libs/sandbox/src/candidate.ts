import { SandboxConfigError } from './errors.js';
import { placeAt, plainPath, type Place } from './path-check.js';
import { expandVariables } from './path-variables.js';
import type { PathRule } from './policy-document.js';
import type { PathVariables } from './policy.js';

/**
 * A rule with one expansion of its text. `path`: before links are followed. `explicit`: the path is written out,
 * or is `{HOME}` itself.
 */
export interface Candidate extends PathRule {
  readonly path: string;
  readonly place: Place;
  readonly explicit: boolean;
}

export const WHOLE_HOME = /^\{HOME\}\/*$/;

export interface Circumstances {
  readonly variables: PathVariables;
  readonly bestEffort: boolean;
  readonly notes: string[];
  /** Every path that a rule names and that is there, before links are followed. */
  readonly written: string[];
}

/** A rule whose variable has no value is skipped with a note; so is a missing path under best effort, which is an error otherwise. */
export function candidatesOf(rule: PathRule, { variables, bestEffort, notes, written }: Circumstances): readonly Candidate[] {
  const expansion = expandVariables(rule.text, rule.origin, variables);
  if ('unset' in expansion) {
    notes.push(`${rule.origin}: {${expansion.unset}} is not set; skipped`);
    return [];
  }
  const explicit = WHOLE_HOME.test(rule.text) || !rule.text.includes('{');
  return expansion.paths.flatMap((text) => {
    const path = plainPath(text, rule.origin);
    const place = placeAt(path);
    if (place) {
      written.push(path);
      return [{ ...rule, path, place, explicit }];
    }
    if (!bestEffort) throw new SandboxConfigError(`${rule.origin}: no such path: ${path} (general.best_effort: true would skip it)`);
    notes.push(`${rule.origin}: no such path: ${path}; skipped`);
    return [];
  });
}

export function isWritable({ access }: PathRule): boolean {
  return access.startsWith('rw');
}
