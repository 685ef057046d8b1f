import type { Dispatch, ToolDefinition } from '#tools';
import type { CallRequest } from './call-request.js';

/** A call that may run: known tool, checked arguments, a directory to run in. */
export interface PreparedCall {
  readonly request: CallRequest;
  readonly tool: ToolDefinition;
  readonly dispatch: Dispatch;
  readonly cwd: string;
  /** It runs outside the sandbox, and only when an observer has approved that. */
  readonly isBypass: boolean;
}
