import type { Message, ToolCall, ToolMessage } from '#model';
import { type Emit, emitBlock } from '../emit.js';
import { messageText } from '../message-text.js';
import type { Block } from '../parse-markup.js';
import { endedLine } from '../xml-text.js';
import type { KeptPrompt } from './kept-prompt.js';

const INTERRUPTED = 'interrupted: the server was restarted during this turn; its prompt was not run again\n';
const IDLE = 'idle\n';

/** Says in the transcript what became of a turn that an earlier process was in. `shown`: what it has put out, which is not said again. */
export function reportInterrupted({ text, source }: KeptPrompt, messages: readonly Message[], shown: readonly Block[], emit: Emit): void {
  if (!shown.some(({ role }) => role === 'user')) emitBlock(emit, 'user', text, { ...(source && { source }) });
  const unshown = { call: counter(shown, 'call'), tool: counter(shown, 'tool') };
  for (const [call, result] of answeredCalls(messages)) {
    const { id, name } = call;
    if (unshown.call(id)) emitBlock(emit, 'call', call.rawArguments, { name, call: id });
    const { isError: error, tier = 'hot' } = result;
    if (unshown.tool(id)) emitBlock(emit, 'tool', endedLine(messageText(result)), { name, call: id, error, tier });
  }
  if (!shown.some(({ content }) => content === INTERRUPTED)) emitBlock(emit, 'error', INTERRUPTED);
}

/** Says that an agent is idle, if that is not the last that was said of its state. */
export function reportIdle(shown: readonly Block[], emit: Emit): void {
  const last = shown.findLast(({ role }) => role === 'state');
  if (last?.content !== IDLE) emitBlock(emit, 'state', IDLE);
}

/** Says of one call after another, by its id, whether there is no block of it: ids may come again in another answer. */
function counter(shown: readonly Block[], kind: 'call' | 'tool'): (id: string) => boolean {
  const left = new Map<string | undefined, number>();
  for (const { role, attributes } of shown)
    if (role === kind && attributes.live !== 'true') left.set(attributes.call, (left.get(attributes.call) ?? 0) + 1);
  return (id) => {
    const count = left.get(id) ?? 0;
    left.set(id, count - 1);
    return count <= 0;
  };
}

/** The calls of the newest turn with their results, in order. */
function answeredCalls(messages: readonly Message[]): readonly (readonly [ToolCall, ToolMessage])[] {
  const turn = messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
  const open = new Map<string, ToolCall>();
  return turn.flatMap((message) => {
    if (message.role === 'assistant') for (const call of message.toolCalls) open.set(call.id, call);
    const call = message.role === 'tool' ? open.get(message.toolCallId) : undefined;
    return message.role === 'tool' && call ? [[call, message] as const] : [];
  });
}
