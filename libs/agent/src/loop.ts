import { BackendError, OllieError, userText } from '#model';
import type { ToolInfo } from '#model';
import { askModel } from './ask-model.js';
import { emitBlock } from './emit.js';
import { reportBug } from './report-bug.js';
import { describeFailure } from './retry.js';
import { refuseCalls, runCalls } from './run-calls.js';
import type { TurnInput, TurnOutcome } from './turn-input.js';

const CUT = 'cancelled: the answer was cut at the output limit, so the arguments may be incomplete; call again with less';
const NO_STEPS_LEFT = 'cancelled: step limit reached';

/**
 * One turn: asks the model, runs the tools that it calls, and goes on until it calls none. It has no
 * state but its inputs. An abort ends it as `interrupted` once the running tools have acknowledged;
 * what the model cannot be asked for ends it as `failed`, with an error block. Either way the history is
 * left so that the next turn can go on from it. Rejects only for a bug in one of the inputs.
 */
export async function runTurn(turn: TurnInput, signal: AbortSignal): Promise<TurnOutcome> {
  try {
    return { end: 'done', text: await runRounds(turn, signal) };
  } catch (error) {
    const isExpected = error instanceof BackendError || error instanceof OllieError;
    if (signal.aborted) {
      if (!isExpected) reportBug(error, turn.log);
      return interrupted(turn);
    }
    if (!isExpected) throw error;
    const reason = error instanceof BackendError ? describeFailure(error, turn.clock.now()) : error.message;
    emitBlock(turn.emit, 'error', reason);
    return { end: 'failed', reason };
  }
}

async function runRounds(turn: TurnInput, signal: AbortSignal): Promise<string> {
  let text = '';
  for (let step = 1; ; step += 1) {
    const tools = await currentTools(turn, signal);
    const answer = await askModel(turn, tools, signal);
    turn.usage.countStep();
    text = answer.text.trim() === '' ? text : answer.text;
    if (answer.message.toolCalls.length === 0) return done(turn, answer.stop, text);
    const isLast = turn.maxSteps > 0 && step > turn.maxSteps;
    if (isLast) refuseCalls(turn, NO_STEPS_LEFT);
    else if (answer.stop === 'length') refuseCalls(turn, CUT);
    else await runCalls(turn, tools, signal);
    if (isLast) return text;
    signal.throwIfAborted();
    if (step === turn.maxSteps) announceLastStep(turn);
  }
}

/** Asked before each request, so that what a tool round has loaded is there in the next one. */
async function currentTools(turn: TurnInput, signal: AbortSignal): Promise<readonly ToolInfo[]> {
  const tools = await turn.tools.list(signal);
  for (const notice of turn.tools.takeNotices()) emitBlock(turn.emit, 'info', notice);
  return tools;
}

function done(turn: TurnInput, stop: 'stop' | 'length', text: string): string {
  if (stop === 'length') emitBlock(turn.emit, 'info', 'the answer was cut at the output limit');
  return text;
}

/** The tools stay in the last request: without them the provider could not reuse what it has cached. */
function announceLastStep(turn: TurnInput): void {
  emitBlock(turn.emit, 'maxsteps', `step limit reached (${turn.maxSteps})`);
  turn.history.addUser(userText(turn.maxStepsNudge));
}

function interrupted(turn: TurnInput): TurnOutcome {
  emitBlock(turn.emit, 'info', 'interrupted');
  return { end: 'interrupted' };
}
