import type { JsonObject } from './json.js';

/** How long a result stays verbatim in the context: hot always, warm until the next compaction, cold for one request. */
export type ResultTier = 'hot' | 'warm' | 'cold';

/** Which calls may overlap: `read` with other reads; `write` and `none` with nothing. */
export type ParallelClass = 'read' | 'write' | 'none';

export type BypassRule = 'never' | 'ask' | 'always';

/** What really enclosed a run: every layer, some layers, nothing. */
export type SandboxReach = 'full' | 'partial' | 'none';

/** A loaded tool as the agent and the model see it. `timeout` in seconds. */
export interface ToolInfo {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly tier: ResultTier;
  readonly parallel: ParallelClass;
  readonly bypass: BypassRule;
  readonly timeout: number;
  readonly background: boolean;
}

/** A tool of the host, loaded or not. `available` is false with a `reason` when something it requires is missing. */
export interface CatalogEntry {
  readonly name: string;
  readonly description: string;
  readonly source: string;
  readonly available: boolean;
  readonly reason?: string;
}

/** One call that a model asks for. `argumentsError` is set when the model's JSON did not parse; `rawArguments` then has the text. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  readonly rawArguments: string;
  readonly argumentsError?: string;
}

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

/** `data` is base64. */
export interface ImageContent {
  readonly type: 'image';
  readonly mimeType: string;
  readonly data: string;
}

export type ToolContent = TextContent | ImageContent;

/** The outcome of a call (contract 3.2). Expected failures are results with `isError`, never exceptions. */
export interface ToolResult {
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  readonly exitCode?: number;
  readonly sandbox?: SandboxReach;
}

/** The first line of an output that is a result as JSON. */
export const RESULT_MARK = '#!ollie-result';

export function textResult(text: string, isError = false): ToolResult {
  return { content: [{ type: 'text', text }], isError };
}

/** The text parts of a result, joined; images are left out. */
export function resultText(result: ToolResult): string {
  return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
