import type { OptionGrammar } from '../programs/options.js';

export type Severity = 'deny' | 'ask' | 'warn';

/** What a rule looks for. Every part that is given must hold. */
export interface Condition {
  /** Patterns of the tools that the command may be an argument of; empty: all. */
  readonly tools: readonly string[];
  readonly effect: string;
  /** Names of path sets of which the path must meet one. */
  readonly paths: readonly string[];
  /** Names of path sets of which the path must lie in one: it is a member, or below one. */
  readonly inside: readonly string[];
  /** Names of path sets in which the path must not lie. */
  readonly outside: readonly string[];
  readonly recursive: boolean | undefined;
  readonly remote: boolean | undefined;
  /** The path is what it is only if a program prints nothing. */
  readonly uncertain: boolean;
  /** Patterns for attributes of the effect. */
  readonly attributes: Readonly<Record<string, readonly string[]>>;
  /** Options of which one must be given, and of which none may be. */
  readonly options: readonly string[];
  readonly without: readonly string[];
  /** Patterns of which the first operand must meet one. */
  readonly subcommand: readonly string[];
  /** Patterns of which one operand must meet one. */
  readonly operands: readonly string[];
  /** Path sets of which one operand must meet one. */
  readonly operandPaths: readonly string[];
}

export interface Rule {
  /** Its place in the file: of rules equally strict, the first decides. */
  readonly position: number;
  readonly id: string;
  /** The name that a refusal tells: `dangerous pattern detected: <class>`. */
  readonly class: string;
  readonly verdict: Severity;
  readonly why: string;
  readonly conditions: readonly Condition[];
  readonly examples: readonly string[];
  readonly counterExamples: readonly string[];
}

/** What other rules refuse is judged more strictly when it is done with another user's rights. */
export interface PrivilegeRule {
  readonly class: string;
  readonly verdict: Severity;
  readonly why: string;
}

export interface RuleFile {
  readonly rules: readonly Rule[];
  readonly privilege: PrivilegeRule;
  readonly paths: ReadonlyMap<string, readonly string[]>;
  readonly programs: ReadonlyMap<string, OptionGrammar>;
}
