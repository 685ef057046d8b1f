import type { ToolMessage } from '#model';
import { type Emit, emitBlock } from '../emit.js';
import { messageText } from '../message-text.js';
import type { Transcript } from '../transcript.js';
import { endedLine } from '../xml-text.js';
import type { KeptPrompt } from './kept-prompt.js';

const INTERRUPTED = 'interrupted: the server was restarted during this turn; its prompt was not run again\n';

/** Says in the transcript what became of a turn that an earlier process was in. */
export function reportInterrupted({ text }: KeptPrompt, untold: readonly ToolMessage[], transcript: Transcript, emit: Emit): void {
  // The last thing that was written before a prompt is shown is that the agent runs.
  if (transcript.resume() === 'state') emitBlock(emit, 'user', text);
  for (const result of untold) {
    const { toolCallId: call, toolName: name, isError: error, tier = 'hot' } = result;
    emitBlock(emit, 'tool', endedLine(messageText(result)), { name, call, error, tier });
  }
  emitBlock(emit, 'error', INTERRUPTED);
  emitBlock(emit, 'state', 'idle\n');
}
