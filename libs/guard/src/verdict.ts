import type { Span } from './syntax/statement.js';

export interface Verdict {
  readonly verdict: 'allow' | 'warn' | 'ask' | 'deny';
  /** The class of the guard's rule that decided, or `unparsed`, `too-large`, `too-complex`; the id of a permission rule, or `default`; null when nothing was found. */
  readonly rule: string | null;
  /** The rule's own id, where a rule of a file decided. */
  readonly id: string | null;
  /** The part of the command that the rule is about, in UTF-16 units. */
  readonly span: Span | null;
  readonly why: string | null;
  /** `FILE:LINE` of the permission rule that decided; null where the guard did. */
  readonly origin: string | null;
}

/** Where a command would run. Both paths are absolute. */
export interface GuardContext {
  readonly cwd: string;
  readonly home: string;
  /** What it is given to read; absent where that is nothing. */
  readonly stdin?: string;
}

export const ALLOWED: Verdict = { verdict: 'allow', rule: null, id: null, span: null, why: null, origin: null };

const RANK = { allow: 0, warn: 1, ask: 2, deny: 3 } as const;

/** Below 0 when the first is the milder one. */
export function compareStrictness(first: Verdict['verdict'], second: Verdict['verdict']): number {
  return RANK[first] - RANK[second];
}

/** The stricter of two; of equals the first. */
export function stricter(first: Verdict, second: Verdict): Verdict {
  return compareStrictness(second.verdict, first.verdict) > 0 ? second : first;
}
