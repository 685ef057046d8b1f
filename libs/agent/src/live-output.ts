import { PartnerError, type ToolCall } from '#model';
import { emitBlock } from './emit.js';
import { LiveText } from './live-text.js';
import { reportBug } from './report-bug.js';
import type { TurnInput } from './turn-input.js';

/** Of one call. The rest stays with the tool server, and what the model gets of it is the call's result. */
const MAX_LIVE_BYTES = 64 * 1024;

/**
 * Runs a call, and shows what it puts out meanwhile as blocks of their own. None comes after this has settled, nor after
 * an abort. Whatever becomes of the showing, the outcome is that of the call.
 */
export async function withLiveOutput<T>(turn: TurnInput, call: ToolCall, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = new AbortController();
  void showOutput(turn, call, AbortSignal.any([signal, ended.signal]));
  try {
    return await work();
  } finally {
    ended.abort();
  }
}

/** Until the signal aborts. Never rejects. */
async function showOutput(turn: TurnInput, { id, name }: ToolCall, signal: AbortSignal): Promise<void> {
  const live = new LiveText(MAX_LIVE_BYTES);
  try {
    for await (const { pid, bytes } of turn.tools.follow(id, signal)) {
      if (signal.aborted) return;
      const text = live.push(bytes, `proc/${pid}/out`);
      if (text !== '') emitBlock(turn.emit, 'tool', text, { name, call: id, live: true });
      if (live.isOver) return;
    }
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof PartnerError) turn.log.debug(`${name}: its output is no longer shown: ${error.message}`);
    else reportBug(error, turn.log);
  }
}
