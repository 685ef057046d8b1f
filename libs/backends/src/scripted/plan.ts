import { isJsonObject, type ModelRequest, type StopReason, type Usage } from '#model';
import { usedIdsIn } from '../used-ids.js';
import { readArguments } from '../wire/read-arguments.js';
import type { Move } from './engine.js';
import type { Failure, Pace, PlannedCall, ScriptedUsage } from './script.js';

/** Every text reply begins with it, so that nobody takes a script for a model. */
const LABEL = '[scripted] ';

/** A whole reply, ready to be played on any face. */
export interface Plan {
  readonly id: string;
  readonly model: string;
  readonly think: string;
  readonly text: string;
  readonly calls: readonly PlannedCall[];
  readonly stop: StopReason;
  readonly usage: Usage;
  readonly pace: Pace;
  readonly fail: Failure | undefined;
}

/** What a request counts as, before there is an answer. */
export type InputCounts = Omit<Usage, 'outputTokens'>;

/** Fills a step in. `input` is what the prefix cache says about the request. */
export function planOf(move: Move, request: ModelRequest, input: InputCounts): Plan {
  const { step, fails } = move;
  const isEmpty = fails && step.fail?.kind === 'empty';
  const said = isEmpty ? SILENCE : sayingOf(move, request);
  return {
    id: `scripted-${request.messages.length}`,
    model: request.model,
    ...said,
    stop: step.stop ?? (said.calls.length > 0 ? 'tool_calls' : 'stop'),
    usage: usageOf(step.usage, { ...input, outputTokens: Math.ceil(charactersOf(said) / 4) }),
    pace: fails && step.fail?.kind === 'slow' ? { ...step.stream, delayMs: step.fail.delayMs } : step.stream,
    fail: fails ? step.fail : undefined,
  };
}

/** A call whose arguments are no JSON object: some providers cannot say it. */
export function isBrokenCall({ raw }: PlannedCall): boolean {
  return readArguments(raw).argumentsError !== undefined;
}

/** The part of the output that is thinking. */
export function thinkingTokensOf({ think, usage }: Plan): number {
  return Math.min(usage.outputTokens, Math.ceil(think.length / 4));
}

type Saying = Pick<Plan, 'think' | 'text' | 'calls'>;

const SILENCE: Saying = { think: '', text: '', calls: [] };

function sayingOf({ step, scope }: Move, request: ModelRequest): Saying {
  const used = step.calls.length > 0 ? usedIdsIn(request) : new Set<string>();
  const calls = step.calls.map(({ tool, args, raw }, i) => {
    const filled = args(scope);
    const object = isJsonObject(filled) ? filled : {};
    return {
      id: unused(`call_${request.messages.length}_${i + 1}`, used),
      name: tool,
      arguments: object,
      raw: raw ?? JSON.stringify(object),
    };
  });
  return { think: step.think?.(scope) ?? '', text: labelled(step.say?.(scope) ?? ''), calls };
}

function labelled(text: string): string {
  return text === '' || text.startsWith(LABEL) ? text : LABEL + text;
}

function charactersOf({ think, text, calls }: Saying): number {
  return think.length + text.length + calls.reduce((sum, { name, raw }) => sum + name.length + raw.length, 0);
}

function unused(id: string, used: ReadonlySet<string>): string {
  return used.has(id) ? unused(`${id}x`, used) : id;
}

function usageOf(given: ScriptedUsage, computed: Usage): Usage {
  return {
    inputTokens: given.in ?? computed.inputTokens,
    cachedInputTokens: given.read ?? computed.cachedInputTokens,
    cacheCreationTokens: given.write ?? computed.cacheCreationTokens,
    outputTokens: given.out ?? computed.outputTokens,
  };
}
