import { BackendError, RequestError } from '#model';
import type { ModelRequest, StreamEvent, ToolInfo, ToolSchema } from '#model';
import { AnswerReader, type Answer } from './answer-reader.js';
import { withDispatchFields } from './dispatch-schema.js';
import { emitBlock } from './emit.js';
import { describeWait, waitBeforeRetry, type RetryWait } from './retry.js';
import type { TurnInput } from './turn-input.js';
import { prefixMark } from './prefix-mark.js';
import { usageText } from './usage.js';

/** So often one answer may pause. */
const MAX_PAUSES = 32;

/**
 * Sends the history and takes the answer into it, waiting and sending again as the retry policy says.
 * When that is given up or interrupted, the text that the last stream had brought is kept in the history
 * (its tool calls are not: a call comes only with the end of a stream), and the error is thrown.
 */
export async function askModel(turn: TurnInput, tools: readonly ToolInfo[], signal: AbortSignal): Promise<Answer> {
  const tries = { sent: 0, unsent: 0 };
  for (;;) {
    const reader = new AnswerReader(turn.backend.name, turn.emit);
    try {
      const answer = await readAnswer(turn, reader, tools, signal);
      turn.history.addAssistant(answer.message);
      return answer;
    } catch (error) {
      const kind = isUnsent(error) ? 'unsent' : 'sent';
      if (await waitedOut(turn, error, tries[kind], signal)) {
        tries[kind] += 1;
        continue;
      }
      keepPartialText(turn, reader);
      throw error;
    }
  }
}

function isUnsent(error: unknown): boolean {
  return error instanceof BackendError && error.failure.unsent === true;
}

/** True when the same request may be sent again now; false when that is given up, or the wait was interrupted. */
async function waitedOut(turn: TurnInput, error: unknown, attempt: number, signal: AbortSignal): Promise<boolean> {
  if (!(error instanceof BackendError) || signal.aborted) return false;
  const wait = waitBeforeRetry(error, attempt, turn.random);
  if (wait === undefined) return false;
  announce(turn, wait, describeWait(wait, error, attempt));
  try {
    await turn.clock.sleep(wait.ms, signal);
  } catch (reason) {
    if (!signal.aborted) throw reason;
  }
  return !signal.aborted;
}

/** Sends a paused answer back until it is whole. */
async function readAnswer(turn: TurnInput, reader: AnswerReader, tools: readonly ToolInfo[], signal: AbortSignal): Promise<Answer> {
  for (let pauses = 0; pauses <= MAX_PAUSES; pauses += 1) {
    const answer = await readStream(turn, reader, () => turn.backend.stream(requestOf(turn, tools, reader), signal));
    if (!reader.isPaused) return answer;
    signal.throwIfAborted();
  }
  const { name: backend } = turn.backend;
  throw new RequestError(`${backend}: the answer paused more than ${MAX_PAUSES} times`, { backend, kind: 'pause' });
}

async function readStream(turn: TurnInput, reader: AnswerReader, open: () => AsyncIterable<StreamEvent>): Promise<Answer> {
  turn.act('thinking');
  turn.usage.countRequest();
  try {
    return await reader.read(open());
  } finally {
    if (reader.isBegun) turn.usage.add(reader.usage);
    if (reader.usage) emitBlock(turn.emit, 'usage', usageText(reader.usage));
  }
}

function requestOf(turn: TurnInput, tools: readonly ToolInfo[], { toContinue }: AnswerReader): ModelRequest {
  const { model, system, params, history, conversation } = turn;
  const schemas = tools.map(schemaOf);
  turn.usage.sawPrefix(prefixMark(system, schemas));
  return { model, system, params, messages: [...history.messages, ...toContinue], tools: schemas, conversation };
}

function schemaOf(info: ToolInfo): ToolSchema {
  return { name: info.name, description: info.description, parameters: withDispatchFields(info) };
}

function keepPartialText(turn: TurnInput, reader: AnswerReader): void {
  const partial = reader.partial();
  if (partial) turn.history.addAssistant(partial);
}

function announce(turn: TurnInput, wait: RetryWait, text: string): void {
  turn.act(wait.role === 'limitretry' ? 'limitretry' : 'retrying');
  emitBlock(turn.emit, wait.role, text, { wait: wait.ms });
}
