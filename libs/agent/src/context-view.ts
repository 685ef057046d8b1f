import { escapeField, type JsonObject, type Message, type ToolCall } from '#model';
import { estimateTokens } from './estimate-tokens.js';
import type { History } from './history.js';
import { messageText } from './message-text.js';

const MAX_LABEL = 60;

/** The conversation as files: a message keeps its number, from 0001, as long as it can be read. */
export class ContextView {
  constructor(private readonly history: History) {}

  entries(): readonly (readonly [name: string, message: Message])[] {
    const { messages, firstNumber } = this.history;
    return messages.map((message, index) => [nameOf(firstNumber + index), message]);
  }

  find(name: string): Message | undefined {
    if (!/^\d{4,9}$/.test(name)) return undefined;
    const number = Number(name);
    return nameOf(number) === name ? this.history.messages[number - this.history.firstNumber] : undefined;
  }

  /** Roughly the tokens of all messages behind this system message. */
  estimate(system: string): number {
    return this.entries().reduce((sum, [, message]) => sum + estimateTokens(messageText(message)), estimateTokens(system));
  }

  /** One line a message: number, role, tier, tokens, label. */
  index(): string {
    const calls = new Map<string, ToolCall>();
    return this.entries()
      .map(([name, message]) => {
        if (message.role === 'assistant') for (const call of message.toolCalls) calls.set(call.id, call);
        const tier = message.role === 'tool' ? (message.tier ?? 'hot') : 'hot';
        const fields = [name, message.role, tier, String(estimateTokens(messageText(message))), labelOf(message, calls)];
        return `${fields.map(escapeField).join('\t')}\n`;
      })
      .join('');
  }
}

function nameOf(number: number): string {
  return String(number).padStart(4, '0');
}

function labelOf(message: Message, calls: ReadonlyMap<string, ToolCall>): string {
  if (message.role !== 'tool') return firstLine(messageText(message));
  const call = calls.get(message.toolCallId);
  return firstLine(`${message.toolName} ${call ? shortArgument(call.arguments) : ''}`);
}

/** The first argument that is text: most often the path or the command. */
function shortArgument(args: JsonObject): string {
  return Object.values(args).find((value) => typeof value === 'string') ?? '';
}

function firstLine(text: string): string {
  const line = Array.from(text.trim().split('\n', 1)[0]?.trim() ?? '');
  return line.length > MAX_LABEL ? `${line.slice(0, MAX_LABEL - 1).join('')}…` : line.join('');
}
