import type { ToolCall } from '#model';
import { type Emit, emitBlock } from '../emit.js';
import { LOST_RESULT } from '../history.js';
import type { Transcript } from '../transcript.js';
import type { KeptPrompt } from './kept-prompt.js';

const INTERRUPTED = 'interrupted: the server was restarted during this turn; its prompt was not run again\n';

/** Says in the transcript what became of a turn that an earlier process was in. */
export function reportInterrupted({ text }: KeptPrompt, lost: readonly ToolCall[], transcript: Transcript, emit: Emit): void {
  // The last thing that was written before a prompt is shown is that the agent runs.
  if (transcript.resume() === 'state') emitBlock(emit, 'user', text);
  for (const { id, name } of lost) emitBlock(emit, 'tool', `${LOST_RESULT}\n`, { name, call: id, error: true, tier: 'hot' });
  emitBlock(emit, 'error', INTERRUPTED);
  emitBlock(emit, 'state', 'idle\n');
}
