import { costLine } from './closing-words.js';

describe('the cost that o demo tells', () => {
  it('counts what was read from a cache as well', () => {
    const stats = new Map([
      ['totalRequests', '5'],
      ['totalInputTokens', '15'],
      ['totalCachedInputTokens', '2400'],
      ['totalCacheCreationTokens', '900'],
      ['totalOutputTokens', '124'],
    ]);
    const line = costLine({ stats, backend: 'anthropic' });
    expect(line).toBe('Cost: not told by anthropic; 5 requests, 3315 tokens in, 124 tokens out.');
  });
});
