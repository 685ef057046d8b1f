import type { JsonValue } from './json.js';

/** The roles of everything an agent puts out, in the transcript and on doors. */
export type AgentRole =
  'user' | 'assistant' | 'reasoning' | 'call' | 'tool' | 'usage' | 'state' | 'limitretry' | 'retry' | 'maxsteps' | 'error' | 'info';

/** What shows of an agent's life. `killed` is final. */
export type AgentState = 'idle' | 'running' | 'paused' | 'killed';

/**
 * One step of an agent's output. A block starts with `begin`, grows by `delta`s and finishes with `end`;
 * `attributes` are shown on the begin line of chat.raw (contract 2.7).
 */
export type AgentEvent =
  | { readonly type: 'begin'; readonly role: AgentRole; readonly attributes: Readonly<Record<string, JsonValue>> }
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'end' };
