import type { JsonObject } from '#model';

/** One call as a door hands it over. Texts that the caller left out are empty; `fields` are arguments still as text. */
export interface CallRequest {
  readonly tool: string;
  readonly agent: string;
  readonly session: string;
  readonly cwd: string;
  /** What `stat` and `top` show instead of the command. */
  readonly label: string;
  /** The caller's own id of the call. */
  readonly call: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: JsonObject;
  readonly fields: ReadonlyMap<string, string>;
}
