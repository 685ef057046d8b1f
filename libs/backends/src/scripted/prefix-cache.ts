import { createHash } from 'node:crypto';
import type { ModelRequest, Usage } from '#model';

const MOST_CONVERSATIONS = 512;
const CHARACTERS_PER_TOKEN = 4;

interface Unit {
  readonly digest: string;
  readonly characters: number;
}

/**
 * What a provider with a prefix cache would count: the messages that a request shares with the last one of the same
 * conversation (same model, tools, system text and first message) are read from the cache. Four characters are a token.
 */
export class PrefixCache {
  private readonly last = new Map<string, readonly Unit[]>();

  account(request: ModelRequest): Omit<Usage, 'outputTokens'> {
    const units = [unitOf([request.model, request.system, request.tools]), ...request.messages.map(unitOf)];
    const conversation = units
      .slice(0, 2)
      .map(({ digest }) => digest)
      .join();
    const cached = Math.floor(sharedCharacters(this.last.get(conversation) ?? [], units) / CHARACTERS_PER_TOKEN);
    this.remember(conversation, units);
    const total = Math.ceil(units.reduce((sum, { characters }) => sum + characters, 0) / CHARACTERS_PER_TOKEN);
    return { inputTokens: total - cached, cachedInputTokens: cached, cacheCreationTokens: 0 };
  }

  private remember(conversation: string, units: readonly Unit[]): void {
    this.last.delete(conversation);
    this.last.set(conversation, units);
    const [oldest] = this.last.keys();
    if (this.last.size > MOST_CONVERSATIONS && oldest !== undefined) this.last.delete(oldest);
  }
}

function sharedCharacters(before: readonly Unit[], now: readonly Unit[]): number {
  const end = now.findIndex(({ digest }, i) => before[i]?.digest !== digest);
  return now.slice(0, end < 0 ? now.length : end).reduce((sum, { characters }) => sum + characters, 0);
}

function unitOf(value: unknown): Unit {
  const text = JSON.stringify(value);
  return { digest: createHash('sha256').update(text).digest('base64'), characters: text.length };
}
