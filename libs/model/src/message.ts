import type { JsonValue } from './json.js';
import type { ImageContent, ResultTier, TextContent, ToolCall, ToolContent } from './tool.js';

/**
 * A block that a provider wants back unchanged (signed thinking, encrypted reasoning, signatures).
 * It is replayed only to the same provider and model.
 */
export interface ReplayBlock {
  readonly type: 'replay';
  readonly provider: string;
  readonly model: string;
  readonly data: JsonValue;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: readonly (TextContent | ImageContent)[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  readonly content: readonly (TextContent | ReplayBlock)[];
  readonly toolCalls: readonly ToolCall[];
}

/** The result of one call. Every assistant tool call is followed directly by exactly one of these. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly ToolContent[];
  readonly isError: boolean;
  /** Absent: hot. */
  readonly tier?: ResultTier;
}

export type Message = UserMessage | AssistantMessage | ToolMessage;

export function userText(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}
