import type { Span } from './syntax/statement.js';

export interface Verdict {
  readonly verdict: 'allow' | 'warn' | 'ask' | 'deny';
  /** The class of the rule that decided, or `unparsed`, `too-large`, `too-complex`; null when nothing was found. */
  readonly rule: string | null;
  /** The rule's own id, where a rule of the file decided. */
  readonly id: string | null;
  /** The part of the command that the rule is about, in UTF-16 units. */
  readonly span: Span | null;
  readonly why: string | null;
}

/** Where a command would run. Both paths are absolute. */
export interface GuardContext {
  readonly cwd: string;
  readonly home: string;
}

export const ALLOWED: Verdict = { verdict: 'allow', rule: null, id: null, span: null, why: null };
