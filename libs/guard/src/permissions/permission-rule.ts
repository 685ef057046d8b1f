import type { Condition } from '../rules/rule.js';

export type PermissionVerdict = 'allow' | 'ask' | 'deny';

/** A call of a tool, before anything of it runs. Most tools have no `cmd`; where it is a text, it is a command for a shell, and `stdin` what it reads. */
export interface JudgedCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A condition on calls of tools: by name, and by the paths among the arguments. */
export interface ToolCondition {
  /** Patterns of names. */
  readonly tools: readonly string[];
  /** Path sets of which a path argument must lie in one. */
  readonly inside: readonly string[];
  /** Path sets in which it must not lie. */
  readonly outside: readonly string[];
}

export interface PermissionRule {
  readonly id: string;
  readonly verdict: PermissionVerdict;
  /** Empty only where something is allowed. */
  readonly why: string;
  /** `FILE:LINE`. */
  readonly origin: string;
  readonly toolConditions: readonly ToolCondition[];
  readonly conditions: readonly Condition[];
  readonly examples: readonly Example[];
  readonly counterExamples: readonly Example[];
}

/** A call that a rule is tried on. */
export interface Example {
  readonly call: JudgedCall;
  /** As errors name it. */
  readonly text: string;
  /** `FILE:LINE`. */
  readonly origin: string;
}

/** What is said of calls that no rule of the file is about. */
export interface DefaultVerdict {
  readonly verdict: PermissionVerdict;
  readonly origin: string;
}

/** What the file says of a rule of the guard. */
export interface GuardChange {
  readonly id: string;
  readonly verdict: PermissionVerdict;
  /** `FILE:LINE`. */
  readonly origin: string;
}

export interface PermissionFile {
  readonly name: string;
  readonly otherwise: DefaultVerdict;
  readonly changes: readonly GuardChange[];
  readonly paths: ReadonlyMap<string, readonly string[]>;
  readonly rules: readonly PermissionRule[];
}
