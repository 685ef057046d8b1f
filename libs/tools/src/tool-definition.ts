import type { JsonObject, ToolInfo } from '#model';

/** What runs: a list, a line for `sh -c`, or the file beside the metadata (through an interpreter when it is not executable). */
export type ToolCommand =
  | { readonly type: 'argv'; readonly argv: readonly string[] }
  | { readonly type: 'shell'; readonly line: string }
  | { readonly type: 'file'; readonly path: string; readonly interpreter: string | undefined };

/** How a tool gets its arguments besides the JSON line on its standard input. */
export type ArgumentPassing = 'stdin' | 'argv' | 'env';

/** A tool of this host, ready to run. */
export interface ToolDefinition {
  readonly info: ToolInfo;
  /** The metadata file. */
  readonly source: string;
  /** Where the tool and what belongs to it lie; readable and executable for the tool. */
  readonly directory: string;
  readonly command: ToolCommand;
  readonly pass: ArgumentPassing;
  /** Variables of the server's environment that the tool wants besides the policy's. */
  readonly env: readonly string[];
  /** Whether it gets a connection to the namespace, as its agent. */
  readonly hasDoor: boolean;
  /** `<path> <why>` of the first argument that does not fit the schema. */
  readonly check: (args: JsonObject) => string | undefined;
}
