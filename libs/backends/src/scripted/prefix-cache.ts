import type { ModelRequest, Usage } from '#model';
import { markOf, marksOf, type Mark } from './conversation-marks.js';

const MOST_CONVERSATIONS = 512;
const CHARACTERS_PER_TOKEN = 4;

/** A request's messages. The list of a conversation that has grown since is the same and longer. */
interface Sent {
  readonly marks: readonly Mark[];
  readonly count: number;
}

/**
 * What a provider with a prefix cache would count: the messages that a request shares with the last one of the same
 * conversation (same model, tools, system text and first message) are read from the cache. Four characters are a token.
 */
export class PrefixCache {
  private readonly last = new Map<string, Sent>();

  account(request: ModelRequest): Omit<Usage, 'outputTokens'> {
    const head = markOf([request.model, request.system, request.tools]);
    const marks = marksOf(request.messages);
    const sent = { marks, count: marks.length };
    const conversation = `${head.digest},${marks[0]?.digest ?? ''}`;
    const before = this.last.get(conversation);
    const cached = before ? Math.floor((head.characters + charactersUpTo(sent, sharedCount(before, sent))) / CHARACTERS_PER_TOKEN) : 0;
    this.remember(conversation, sent);
    const total = Math.ceil((head.characters + charactersUpTo(sent, sent.count)) / CHARACTERS_PER_TOKEN);
    return { inputTokens: total - cached, cachedInputTokens: cached, cacheCreationTokens: 0 };
  }

  private remember(conversation: string, sent: Sent): void {
    this.last.delete(conversation);
    this.last.set(conversation, sent);
    const [oldest] = this.last.keys();
    if (this.last.size > MOST_CONVERSATIONS && oldest !== undefined) this.last.delete(oldest);
  }
}

function sharedCount(before: Sent, now: Sent): number {
  const most = Math.min(before.count, now.count);
  if (before.marks === now.marks) return most;
  const end = now.marks.findIndex(({ digest }, index) => index >= most || before.marks[index]?.digest !== digest);
  return end < 0 ? most : end;
}

function charactersUpTo({ marks }: Sent, count: number): number {
  return marks[count - 1]?.characters ?? 0;
}
