import type { AssistantMessage, Message, ToolCall, ToolMessage, UserMessage } from '#model';

/** What a call whose result was lost with its process is answered with. */
export const LOST_RESULT = 'interrupted: the server was restarted while this call ran; what it did until then stays done';

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
  private forgotten = 0;

  /** `keep` is told of each message before it is there, of a result after that, and of `clear` (undefined); what it throws refuses. */
  constructor(private readonly keep: (message: Message | undefined) => void = () => undefined) {}

  /** A copy: what is appended later does not show in it. */
  get messages(): readonly Message[] {
    return [...this.list];
  }

  /** The number of the oldest message; numbers are given from 1 on and never again. */
  get firstNumber(): number {
    return this.forgotten + 1;
  }

  get length(): number {
    return this.list.length;
  }

  /** The model has said something. */
  get hasAnswer(): boolean {
    return this.list.length > 1;
  }

  /** The calls of the last assistant message that have no result yet, in order. */
  get unanswered(): readonly ToolCall[] {
    return this.calls.slice(this.answered);
  }

  /** After another user message (its turn ended without an answer) the two become one. */
  addUser(message: UserMessage): void {
    this.demandNoOpenCalls();
    this.keep(message);
    this.append(message);
  }

  /** Messages that were kept, which may lack results. Gives the calls at the end that had none: they are answered now. */
  restore(messages: readonly Message[], forgotten: number): readonly ToolCall[] {
    this.forgotten = forgotten;
    for (const message of messages) {
      if (message.role === 'tool') this.restoreResult(message);
      else this.restoreOther(message);
    }
    const lost = this.unanswered;
    this.answerLost();
    return lost;
  }

  addAssistant(message: AssistantMessage): void {
    this.demandNoOpenCalls();
    if (!this.isAnswerDue) throw new Error(`an assistant message after ${this.list.at(-1)?.role ?? 'the start'}`);
    this.keep(message);
    this.open(message);
  }

  addResult(message: ToolMessage): void {
    const next = this.calls[this.answered];
    if (next?.id !== message.toolCallId) throw new Error(`a result of ${message.toolCallId}, expected ${next?.id ?? 'none'}`);
    this.list.push(message);
    this.answered += 1;
    this.keep(message);
  }

  /** Forgets all messages; `keep` hears of no message then. */
  clear(): void {
    this.demandNoOpenCalls();
    this.keep(undefined);
    this.forgotten += this.list.length;
    this.list.length = 0;
  }

  private restoreResult(message: ToolMessage): void {
    if (!this.unanswered.some(({ id }) => id === message.toolCallId)) return;
    while (this.unanswered[0]?.id !== message.toolCallId) this.answerNext();
    this.list.push(message);
    this.answered += 1;
  }

  private restoreOther(message: UserMessage | AssistantMessage): void {
    this.answerLost();
    if (message.role === 'user') return this.append(message);
    if (this.isAnswerDue) this.open(message);
  }

  private answerLost(): void {
    while (this.unanswered.length > 0) this.answerNext();
  }

  private answerNext(): void {
    const [call] = this.unanswered;
    if (!call) return;
    this.list.push({
      role: 'tool',
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: 'text', text: LOST_RESULT }],
      isError: true,
    });
    this.answered += 1;
  }

  private append(message: UserMessage): void {
    const last = this.list.at(-1);
    if (last?.role !== 'user') this.list.push(message);
    else this.list[this.list.length - 1] = { role: 'user', content: [...last.content, ...message.content] };
  }

  private get isAnswerDue(): boolean {
    const last = this.list.at(-1)?.role;
    return last === 'user' || last === 'tool';
  }

  private open(message: AssistantMessage): void {
    this.list.push(message);
    this.calls = message.toolCalls;
    this.answered = 0;
  }

  private demandNoOpenCalls(): void {
    const missing = this.calls.length - this.answered;
    if (missing > 0) throw new Error(`${missing} tool calls have no result`);
  }
}
