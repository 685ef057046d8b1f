import type { Span } from '../syntax/statement.js';

/** How sure it is that a path is the one told: as written, or only if a variable is unset or a program prints nothing. */
export type Certainty = 'certain' | 'unset' | 'output';

/** One thing that a command would do. What `effect` and its attributes may be is told in config/guard.yaml. */
export interface Fact {
  readonly effect: string;
  /** It tells more of the run that was told just before: `git push` of `git`. */
  readonly refines?: boolean;
  /** Absolute, with marks for what is not known. */
  readonly path?: string;
  readonly certainty?: Certainty;
  readonly recursive?: boolean;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly options?: ReadonlySet<string>;
  readonly operands?: readonly string[];
  /** Makes an operand an absolute path. */
  readonly resolve?: (operand: string) => string;
}

export interface Circumstances {
  readonly span: Span;
  /** Run through sudo or the like. */
  readonly privileged: boolean;
  /** Run on another machine. */
  readonly remote: boolean;
}
