import type { Message, ModelRequest, ReplayBlock } from '#model';

/** Blocks that a provider does not take back, as those of another account. They are known as long as the conversation is. */
export class RefusedReplay {
  private readonly refused = new WeakSet<ReplayBlock>();

  /** The request without what has been refused. */
  without(request: ModelRequest): ModelRequest {
    if (!blocksOf(request).some((block) => this.refused.has(block))) return request;
    return { ...request, messages: request.messages.map((message) => this.rest(message)) };
  }

  /** The blocks of a request were refused; false when it had none. */
  add(request: ModelRequest): boolean {
    const blocks = blocksOf(request);
    for (const block of blocks) this.refused.add(block);
    return blocks.length > 0;
  }

  private rest(message: Message): Message {
    if (message.role !== 'assistant') return message;
    return { ...message, content: message.content.filter((part) => part.type !== 'replay' || !this.refused.has(part)) };
  }
}

function blocksOf({ messages }: ModelRequest): readonly ReplayBlock[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? message.content.filter((part) => part.type === 'replay') : []));
}
