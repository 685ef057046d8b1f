import type { WireMessage } from './cache-marks.js';
import type { Thinking } from './thinking.js';

/**
 * A budget is refused while calls of a turn are under way that began without thinking, as another model began it: then the turn
 * ends without.
 */
export function possibleIn(messages: readonly WireMessage[], thinking: Thinking): Thinking {
  if (thinking.thinking?.type !== 'enabled' || beginsWithThinking(messages)) return thinking;
  return { maxTokens: thinking.maxTokens };
}

function beginsWithThinking(messages: readonly WireMessage[]): boolean {
  const asked = messages.findLastIndex(({ role, content }) => role === 'user' && content.some(({ type }) => type !== 'tool_result'));
  const first = messages[asked + 1]?.content[0];
  return first === undefined || first.type === 'thinking' || first.type === 'redacted_thinking';
}
