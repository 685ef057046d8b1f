import { userText, type Message, type ModelRequest } from '#model';
import { PrefixCache } from './prefix-cache.js';

const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }], toolCalls: [] });
const requestOf = (messages: readonly Message[], more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm',
  system: 's'.repeat(4000),
  messages,
  tools: [],
  params: {},
  ...more,
});
const first = [userText('a'.repeat(400))];
const second = [...first, said('b'.repeat(400)), userText('c')];

describe('the prefix cache', () => {
  it('reads nothing at first, and the whole of the last request later', () => {
    const cache = new PrefixCache();
    const start = cache.account(requestOf(first));
    expect(start).toMatchObject({ cachedInputTokens: 0 });
    expect(start.inputTokens).toBeGreaterThan(1100);
    const next = cache.account(requestOf(second));
    expect(Math.abs(next.cachedInputTokens - start.inputTokens)).toBeLessThanOrEqual(1);
    expect(next.inputTokens).toBeLessThan(200);
  });

  it('what changes before the history loses all that follows', () => {
    const cache = new PrefixCache();
    cache.account(requestOf(second));
    expect(cache.account(requestOf(second, { system: 'other' })).cachedInputTokens).toBe(0);
    expect(cache.account(requestOf(second, { tools: [{ name: 't', description: '', parameters: {} }] })).cachedInputTokens).toBe(0);
  });

  it('a rewritten message loses what follows it', () => {
    const cache = new PrefixCache();
    cache.account(requestOf(second));
    const rewritten = cache.account(requestOf([...first, said('x'.repeat(400)), userText('c')]));
    expect(rewritten.cachedInputTokens).toBeGreaterThan(1000);
    expect(rewritten.inputTokens).toBeGreaterThan(100);
  });

  it('conversations do not share', () => {
    const cache = new PrefixCache();
    cache.account(requestOf(second));
    expect(cache.account(requestOf([userText('another')])).cachedInputTokens).toBe(0);
  });

  it('keeps a bounded number of conversations', () => {
    const cache = new PrefixCache();
    cache.account(requestOf(second));
    for (let i = 0; i < 512; i += 1) cache.account(requestOf([userText(`other ${i}`)]));
    expect(cache.account(requestOf(second)).cachedInputTokens).toBe(0);
    expect(cache.account(requestOf([userText('other 511')])).cachedInputTokens).toBeGreaterThan(0);
  });
});
