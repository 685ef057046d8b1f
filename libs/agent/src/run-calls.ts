import { PartnerError, resultText, textResult } from '#model';
import type { ImageContent, ResultTier, ToolCall, ToolContent, ToolInfo, ToolResult } from '#model';
import { callBatches } from './call-batches.js';
import { takeBackground } from './dispatch-schema.js';
import { emitBlock } from './emit.js';
import { withLiveOutput } from './live-output.js';
import { InOrder } from './in-order.js';
import { describeImage } from './message-text.js';
import { limitText, MAX_RESULT_BYTES } from './limit-text.js';
import { partnerText } from './partner-text.js';
import type { TurnInput } from './turn-input.js';
import { interruptionText } from './wrapped-text.js';
import { endedLine } from './xml-text.js';

interface TieredResult extends ToolResult {
  readonly tier: ResultTier;
}

/**
 * Runs the unanswered calls of the history, in order; neighbours that only read run side by side. When
 * this is left, in whatever way, each call has its result: those that an interrupt kept from running or
 * from finishing say `cancelled`, and what was finished stays. Nothing is taken back from the assistant
 * message, because it was kept before the tools ran and providers may have signed it.
 */
export async function runCalls(turn: TurnInput, tools: readonly ToolInfo[], signal: AbortSignal): Promise<void> {
  const known = new Map(tools.map((info) => [info.name, info]));
  const started = new Set<string>();
  try {
    for (const batch of callBatches(turn.history.unanswered, known)) {
      signal.throwIfAborted();
      turn.act(`calling: ${[...new Set(batch.map((call) => call.name))].join(', ')}`);
      for (const call of batch) showCall(turn, call, started);
      await runBatch(turn, batch, known, signal);
    }
  } finally {
    refuseCalls(turn, 'cancelled', started);
  }
}

/** Answers all unanswered calls with an error of this text, without running them. `shown` have had their call block. */
export function refuseCalls(turn: TurnInput, why: string, shown: Set<string> = new Set()): void {
  for (const call of turn.history.unanswered) {
    if (!shown.has(call.id)) showCall(turn, call, shown);
    answer(turn, call, { ...textResult(why, true), tier: 'hot' })();
  }
}

/** Each result is kept as it finishes, and shown when those before it were. */
async function runBatch(
  turn: TurnInput,
  batch: readonly ToolCall[],
  known: ReadonlyMap<string, ToolInfo>,
  signal: AbortSignal,
): Promise<void> {
  const shows = new InOrder(batch.map(({ id }) => id));
  const settled = await Promise.allSettled(
    batch.map(async (call) => {
      const info = known.get(call.name);
      const work = runCall(turn, call, info, signal);
      const result = await work.catch(() => textResult('cancelled', true));
      shows.add(call.id, answer(turn, call, { ...result, tier: info?.tier ?? 'hot' }, takeInjection(turn, call, signal)));
      await work;
    }),
  );
  const bug = settled.find((outcome) => outcome.status === 'rejected');
  if (bug) throw bug.reason;
}

/** Not with a result that is shown later only; and a turn that is being interrupted asks the model no more: it stays for the next one. */
function takeInjection(turn: TurnInput, call: ToolCall, signal: AbortSignal): string | undefined {
  return turn.history.isNext(call) && !signal.aborted ? turn.takeInjection() : undefined;
}

async function runCall(turn: TurnInput, call: ToolCall, info: ToolInfo | undefined, signal: AbortSignal): Promise<ToolResult> {
  if (info === undefined) return textResult(`tool not loaded: ${call.name}`, true);
  if (call.argumentsError !== undefined) return textResult(`invalid arguments: ${call.argumentsError}`, true);
  try {
    const { isBackground, args } = takeBackground(call.arguments, info);
    const request = { id: call.id, tool: call.name, arguments: args, cwd: turn.cwd, env: {} };
    if (isBackground) return await turn.tools.callInBackground(request, signal);
    return await withLiveOutput(turn, call, () => turn.tools.call(request, signal), signal);
  } catch (error) {
    if (signal.aborted) return textResult('cancelled', true);
    if (!(error instanceof PartnerError)) throw error;
    turn.log.warn(`${call.name}: ${error.message}`);
    return textResult(partnerText(error), true);
  }
}

function showCall(turn: TurnInput, call: ToolCall, shown: Set<string>): void {
  shown.add(call.id);
  emitBlock(turn.emit, 'call', call.rawArguments, { name: call.name, call: call.id });
}

// Four parameters: who, what was asked, what came back, and what goes along with it. Gives what shows it.
function answer(turn: TurnInput, call: ToolCall, result: TieredResult, injected?: string): () => void {
  const text = limitText(resultText(result), MAX_RESULT_BYTES);
  const images = result.content.filter((part): part is ImageContent => part.type === 'image');
  const { id, name } = call;
  const { isError, tier } = result;
  turn.usage.sawSandbox(result.sandbox);
  const heard = injected === undefined ? text : `${endedLine(text)}${interruptionText(injected)}`;
  turn.history.addResult({ role: 'tool', toolCallId: id, toolName: name, content: modelContent(heard, images), isError, tier });
  return () => {
    emitBlock(turn.emit, 'tool', text + images.map(describeImage).join(''), { name, call: id, error: isError, tier });
    if (injected !== undefined) emitBlock(turn.emit, 'user', injected, { source: 'inject', ts: turn.clock.now() });
  };
}

/** Providers refuse empty text, so no output has words of its own. */
function modelContent(text: string, images: readonly ImageContent[]): readonly ToolContent[] {
  if (text.trim() !== '') return [{ type: 'text', text }, ...images];
  return images.length > 0 ? images : [{ type: 'text', text: '(no output)' }];
}
