import { RequestError, TransientError } from '#model';
import type { AssistantMessage, ReplayBlock, StopReason, StreamEvent, TextContent, ToolCall, Usage } from '#model';
import { emitBlock, type Emit } from './emit.js';
import { replayableCalls } from './replayable-calls.js';

/** One answer of a model, whole. `stop` says whether the calls may run: those of a `length` answer may be cut. */
export interface Answer {
  readonly message: AssistantMessage;
  readonly text: string;
  readonly stop: 'stop' | 'length';
}

/** Puts one answer together from its stream, and puts it out while it comes. */
export class AnswerReader {
  private readonly parts: (TextContent | ReplayBlock)[] = [];
  private readonly calls: ToolCall[] = [];
  private open: 'assistant' | 'reasoning' | undefined;
  private responseId: string | undefined;
  private stop: StopReason | undefined;
  private lastUsage: Usage | undefined;
  private hasBegun = false;

  constructor(
    private readonly backend: string,
    private readonly emit: Emit,
  ) {}

  /** False as long as the provider has answered nothing. */
  get isBegun(): boolean {
    return this.hasBegun;
  }

  /** The counts as last reported; providers repeat them with growing numbers. */
  get usage(): Usage | undefined {
    return this.lastUsage;
  }

  /** The provider has stopped in the middle of the answer, and goes on when it is sent back. */
  get isPaused(): boolean {
    return this.stop === 'pause';
  }

  /** What has been read of a paused answer, to be sent back; none of any other. */
  get toContinue(): readonly AssistantMessage[] {
    return this.isPaused ? [{ role: 'assistant', content: this.content(), toolCalls: [] }] : [];
  }

  /**
   * Reads to the end of the stream; after a pause, that of the next one goes on with the same answer.
   * Throws what it throws, and BackendErrors for an answer that is none.
   */
  async read(stream: AsyncIterable<StreamEvent>): Promise<Answer> {
    this.stop = this.lastUsage = undefined;
    this.hasBegun = false;
    try {
      for await (const event of stream) this.take(event);
    } finally {
      this.show(undefined);
    }
    return this.finish();
  }

  /** The text that came before the stream broke, as a message that can be kept; undefined when there is none. */
  partial(): AssistantMessage | undefined {
    return this.text().trim() === '' ? undefined : { role: 'assistant', content: [{ type: 'text', text: this.text() }], toolCalls: [] };
  }

  private take(event: StreamEvent): void {
    this.hasBegun = true;
    switch (event.type) {
      case 'start':
        this.responseId = event.responseId;
        break;
      case 'text':
        this.delta('assistant', event.text);
        this.addText(event.text);
        break;
      case 'reasoning':
        this.delta('reasoning', event.text);
        break;
      case 'replay':
        this.parts.push(event.block);
        break;
      case 'toolCall':
        this.calls.push(event.call);
        break;
      case 'usage':
        this.lastUsage = event.usage;
        break;
      case 'warning':
        this.show(undefined);
        emitBlock(this.emit, 'info', event.text);
        break;
      case 'done':
        this.stop = event.stop;
        break;
    }
  }

  private delta(role: 'assistant' | 'reasoning', text: string): void {
    if (text === '') return;
    this.show(role);
    this.emit({ type: 'delta', text });
  }

  private show(role: 'assistant' | 'reasoning' | undefined): void {
    if (role === this.open) return;
    if (this.open !== undefined) this.emit({ type: 'end' });
    this.open = role;
    if (role === undefined) return;
    const resp = this.responseId === undefined ? {} : { resp: this.responseId };
    this.emit({ type: 'begin', role, attributes: role === 'assistant' ? { ...resp, format: 'markdown' } : resp });
  }

  private addText(text: string): void {
    const last = this.parts.at(-1);
    if (last?.type !== 'text') this.parts.push({ type: 'text', text });
    else this.parts[this.parts.length - 1] = { type: 'text', text: last.text + text };
  }

  private finish(): Answer {
    const { backend, stop } = this;
    if (stop === undefined) throw new TransientError(`${backend}: the answer broke off`, { backend, kind: 'stream_drop' });
    if (stop === 'content_filter' || stop === 'refusal') {
      throw new RequestError(`${backend}: the answer was ended by the provider: ${stop}`, { backend, kind: stop });
    }
    const text = this.text();
    const content = this.content();
    const isEmpty = this.isPaused ? content.length === 0 : text.trim() === '' && this.calls.length === 0;
    if (isEmpty) throw new TransientError(`${backend}: empty answer`, { backend, kind: 'empty' });
    const toolCalls = replayableCalls(this.calls);
    return { message: { role: 'assistant', content, toolCalls }, text, stop: stop === 'length' ? 'length' : 'stop' };
  }

  private content(): AssistantMessage['content'] {
    return this.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  }

  private text(): string {
    return this.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }
}
