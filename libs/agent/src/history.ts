import type { AssistantMessage, Message, ToolCall, ToolMessage, UserMessage } from '#model';

/**
 * The conversation, oldest first. Its order is always one that every provider takes: it starts with the
 * user, no two user or assistant messages are neighbours, and an assistant message with tool calls is
 * followed by exactly one result for each call, in the order of the calls. An append that would break
 * this is a bug of the caller and throws. While `unanswered` holds calls, the history is not to be sent.
 */
export class History {
  private readonly list: Message[] = [];
  /** Those of the last assistant message, of which the first `answered` have their result. */
  private calls: readonly ToolCall[] = [];
  private answered = 0;

  /** A copy: what is appended later does not show in it. */
  get messages(): readonly Message[] {
    return [...this.list];
  }

  /** The calls of the last assistant message that have no result yet, in order. */
  get unanswered(): readonly ToolCall[] {
    return this.calls.slice(this.answered);
  }

  /** After another user message (its turn ended without an answer) the two become one. */
  addUser(message: UserMessage): void {
    this.demandNoOpenCalls();
    const last = this.list.at(-1);
    if (last?.role !== 'user') this.list.push(message);
    else this.list[this.list.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
  }

  addAssistant(message: AssistantMessage): void {
    this.demandNoOpenCalls();
    const before = this.list.at(-1)?.role ?? 'the start';
    if (before !== 'user' && before !== 'tool') throw new Error(`an assistant message after ${before}`);
    this.list.push(message);
    this.calls = message.toolCalls;
    this.answered = 0;
  }

  addResult(message: ToolMessage): void {
    const next = this.calls[this.answered];
    if (next?.id !== message.toolCallId) throw new Error(`a result of ${message.toolCallId}, expected ${next?.id ?? 'none'}`);
    this.list.push(message);
    this.answered += 1;
  }

  private demandNoOpenCalls(): void {
    const missing = this.calls.length - this.answered;
    if (missing > 0) throw new Error(`${missing} tool calls have no result`);
  }
}
