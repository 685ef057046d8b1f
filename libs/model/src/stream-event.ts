import type { ReplayBlock } from './message.js';
import type { ToolCall } from './tool.js';
import type { Usage } from './usage.js';

export type StopReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'refusal' | 'pause';

/**
 * What a backend yields, in order. `start` comes first when the provider names its answer up front.
 * Text and reasoning come as deltas; a tool call comes once, complete,
 * and only when the stream ended well; `done` is the last event. A `warning` is for the user: the
 * answer holds, but not as it was asked for. A failure is thrown, never yielded.
 */
export type StreamEvent =
  | { readonly type: 'start'; readonly responseId: string }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'replay'; readonly block: ReplayBlock }
  | { readonly type: 'toolCall'; readonly call: ToolCall }
  | { readonly type: 'usage'; readonly usage: Usage }
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'done'; readonly stop: StopReason; readonly responseId?: string };
