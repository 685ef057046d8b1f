import type { JsonObject } from '#model';

/** The rule because of which somebody is asked. */
export interface Question {
  readonly rule: string;
  readonly why: string;
}

/** A call that somebody has to approve, exactly as it would run. */
export interface BypassOrder {
  /** What is asked for: to leave the sandbox, or to run in it. */
  readonly kind: 'bypass' | 'permission';
  readonly question: Question | undefined;
  readonly agent: string;
  readonly session: string;
  /** The caller's own id of the call; may be empty. */
  readonly call: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly argv: readonly string[];
  /** The name of the policy that it would run under. */
  readonly sandbox: string;
  readonly cwd: string;
  /** Without the variables that are made of the arguments. */
  readonly env: Readonly<Record<string, string>>;
}
