import type { Circumstances } from '../rules/fact.js';

/** A function that is running: how many forks and conditions stood around its call. */
export interface Activation {
  readonly name: string;
  readonly forks: number;
  readonly conditions: number;
  /** It may have returned before the statement at hand. */
  guarded: boolean;
  /** A return of it was met: what stands after it may not be reached. */
  returned: boolean;
}

/** What stands around a statement. */
export interface ShellContext extends Circumstances {
  /** How many scripts lie in one another: `sh -c`, eval, substitutions, functions. */
  readonly depth: number;
  /** Pipes and background jobs around. */
  readonly forks: number;
  /** Branches around that may not be taken. */
  readonly conditions: number;
  readonly active: readonly Activation[];
  /** The span is that of a command of the text itself, not of a script within it. */
  readonly outermost: boolean;
}
