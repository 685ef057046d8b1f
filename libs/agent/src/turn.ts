import { OllieError, userText } from '#model';
import type { Backend } from '#model';
import { emitBlock } from './emit.js';
import { runTurn } from './loop.js';
import { reportBug } from './report-bug.js';
import type { Prompt } from './prompt-queue.js';
import type { TurnInput, TurnOutcome } from './turn-input.js';

/** A turn before its backend is known; `choose` throws OllieError when there is none. */
export interface TurnParts extends Omit<TurnInput, 'backend' | 'model'> {
  readonly choose: () => { readonly backend: Backend; readonly model: string };
}

/** Everything as it is at the start, but for the model and the directory, which may change while the turn runs. */
function turnOf(parts: TurnParts): TurnInput {
  const { backend } = parts.choose();
  return {
    ...parts,
    backend,
    get model() {
      return parts.choose().model;
    },
    get cwd() {
      return parts.cwd;
    },
  };
}

/**
 * Plays a prompt from its user block to its end. Never rejects: this is where a bug of a port or of the
 * loop is reported, in the log and as an error block, and ends only the turn.
 */
export async function playTurn(
  { text, source }: Pick<Prompt, 'text' | 'source'>,
  parts: TurnParts,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  try {
    parts.usage.beginTurn();
    parts.history.addUser(userText(text));
    emitBlock(parts.emit, 'user', text, { ...(source && { source }), ts: parts.clock.now() });
    return await runTurn(turnOf(parts), signal);
  } catch (error) {
    const reason = error instanceof OllieError ? error.message : reportBug(error, parts.log);
    emitBlock(parts.emit, 'error', reason);
    return { end: 'failed', reason };
  } finally {
    parts.act('');
  }
}
