import type { Backend, Clock, GenerationParams, OutputPiece, ToolInfo, ToolRequest, ToolResult } from '#model';
import type { Log } from '#config';
import type { Emit } from './emit.js';
import type { History } from './history.js';
import type { UsageMeter } from './usage.js';

/** The tools as a turn sees them; AgentTools is the real one. */
export interface TurnTools {
  list(signal: AbortSignal): Promise<readonly ToolInfo[]>;
  call(request: ToolRequest, signal: AbortSignal): Promise<ToolResult>;
  /** The output of a call while it runs; as ToolServer says. */
  follow(callId: string, signal: AbortSignal): AsyncIterable<OutputPiece>;
  /** Starts a call that goes on by itself; the result says so, or why not. */
  callInBackground(request: ToolRequest, signal: AbortSignal): Promise<ToolResult>;
  takeNotices(): readonly string[];
}

/** All that a turn works with. Its prompt is the last message of `history`. */
export interface TurnInput {
  readonly backend: Backend;
  readonly model: string;
  readonly system: string;
  /** As ModelRequest says. */
  readonly conversation: string;
  readonly params: GenerationParams;
  readonly history: History;
  readonly tools: TurnTools;
  readonly cwd: string;
  /** Rounds with tools; 0 = no limit. After them the model is told `maxStepsNudge` and may answer once more. */
  readonly maxSteps: number;
  readonly maxStepsNudge: string;
  readonly usage: UsageMeter;
  readonly emit: Emit;
  /** What a user has put in since the last time, for the model to hear with the next tool result; undefined for nothing. */
  readonly takeInjection: () => string | undefined;
  /** Says what is going on inside the turn: `thinking`, `calling: shell`, `retrying`, `limitretry`. */
  readonly act: (action: string) => void;
  readonly clock: Clock;
  /** For the jitter of retries: from 0 up to 1. */
  readonly random: () => number;
  readonly log: Log;
}

/** How a turn ended. `text` is the last text of the model in this turn, empty when it wrote none. */
export type TurnOutcome =
  { readonly end: 'done'; readonly text: string } | { readonly end: 'failed'; readonly reason: string } | { readonly end: 'interrupted' };
