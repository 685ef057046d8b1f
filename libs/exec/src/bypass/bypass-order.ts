import type { JsonObject } from '#model';

/** What somebody wants to run outside the sandbox, exactly as it would run. */
export interface BypassOrder {
  readonly agent: string;
  readonly session: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Without the variables that are made of the arguments. */
  readonly env: Readonly<Record<string, string>>;
}
