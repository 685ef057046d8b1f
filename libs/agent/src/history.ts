import type { AssistantMessage, Message, ToolCall, ToolMessage, UserMessage } from '#model';

/** What a call whose result was lost with its process is answered with. */
const LOST_RESULT = 'interrupted: the server was restarted while this call ran; what it did until then stays done';

/**
 * The conversation, oldest first. Its order is always one that every provider takes: it starts with the
 * user, no two user or assistant messages are neighbours, and an assistant message with tool calls is
 * followed by exactly one result for each call, in the order of the calls. Results may come in any order: one
 * that comes before that of an earlier call waits for it. An append that would break this is a bug of the
 * caller and throws. While `unanswered` holds calls, the history is not to be sent.
 */
export class History {
  private readonly list: Message[] = [];
  /** Those of the last assistant message, of which the first `answered` have their result in the list. */
  private calls: readonly ToolCall[] = [];
  private answered = 0;
  /** Those of them that have no result, in order. */
  private readonly open = new Map<string, ToolCall>();
  /** Results that wait for that of an earlier call. */
  private readonly early = new Map<string, ToolMessage>();
  private forgotten = 0;

  /** `keep` is told of each message before it is there, of a result after that, and of `clear` (undefined); what it throws refuses. */
  constructor(private readonly keep: (message: Message | undefined) => void = () => undefined) {}

  /** A copy: what is appended later does not show in it. */
  get messages(): readonly Message[] {
    return [...this.list];
  }

  /** All that `restore` needs to make it again: with the results that wait. */
  get kept(): readonly Message[] {
    return [...this.list, ...this.early.values()];
  }

  /** The number of the oldest message; numbers are given from 1 on and never again. */
  get firstNumber(): number {
    return this.forgotten + 1;
  }

  get length(): number {
    return this.list.length;
  }

  /** The calls of the last assistant message that have no result yet, in order. */
  get unanswered(): readonly ToolCall[] {
    return [...this.open.values()];
  }

  /** There are such calls. */
  get hasUnanswered(): boolean {
    return this.open.size > 0;
  }

  /** No result waits for that of this call but those behind it. */
  isNext(call: ToolCall): boolean {
    return this.calls[this.answered]?.id === call.id;
  }

  /** After another user message (its turn ended without an answer) the two become one. */
  addUser(message: UserMessage): void {
    this.demandNoOpenCalls();
    this.keep(message);
    this.append(message);
  }

  /**
   * Messages that were kept, which may lack results: those say so now.
   */
  restore(messages: readonly Message[], forgotten: number): void {
    this.forgotten = forgotten;
    for (const message of messages) {
      if (message.role !== 'tool') this.restoreOther(message);
      else if (this.open.has(message.toolCallId)) this.put(message);
    }
    this.answerLost();
  }

  addAssistant(message: AssistantMessage): void {
    this.demandNoOpenCalls();
    if (!this.isAnswerDue) throw new Error(`an assistant message after ${this.list.at(-1)?.role ?? 'the start'}`);
    this.keep(message);
    this.openCalls(message);
  }

  addResult(message: ToolMessage): void {
    if (!this.open.has(message.toolCallId))
      throw new Error(`a result of ${message.toolCallId}, expected ${this.calls[this.answered]?.id ?? 'none'}`);
    this.put(message);
    this.keep(message);
  }

  /** Forgets all messages; `keep` hears of no message then. */
  clear(): void {
    this.demandNoOpenCalls();
    this.keep(undefined);
    this.forgotten += this.list.length;
    this.list.length = 0;
  }

  private restoreOther(message: UserMessage | AssistantMessage): void {
    this.answerLost();
    if (message.role === 'user') return this.append(message);
    if (this.isAnswerDue) this.openCalls(message);
  }

  private answerLost(): void {
    const content = [{ type: 'text', text: LOST_RESULT }] as const;
    for (const { id, name } of this.unanswered) this.put({ role: 'tool', toolCallId: id, toolName: name, content, isError: true });
  }

  /** Into the list, with those that waited for it, or among those that wait. */
  private put(result: ToolMessage): void {
    this.open.delete(result.toolCallId);
    this.early.set(result.toolCallId, result);
    for (let next = this.takeNext(); next; next = this.takeNext()) this.list.push(next);
  }

  private takeNext(): ToolMessage | undefined {
    const id = this.calls[this.answered]?.id ?? '';
    const result = this.early.get(id);
    if (this.early.delete(id)) this.answered += 1;
    return result;
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

  private openCalls(message: AssistantMessage): void {
    this.list.push(message);
    this.calls = message.toolCalls;
    this.answered = 0;
    for (const call of message.toolCalls) this.open.set(call.id, call);
  }

  private demandNoOpenCalls(): void {
    if (this.hasUnanswered) throw new Error(`${this.open.size} tool calls have no result`);
  }
}
