import type { GenerationParams } from '#model';
import { thinkOf } from './think.js';

describe('how a model is asked to think', () => {
  it.each<[GenerationParams, boolean | undefined, boolean | string | undefined, boolean | string | undefined]>([
    [{}, true, undefined, undefined],
    [{ reasoningEffort: 'none' }, true, false, 'low'],
    [{ reasoningEffort: 'minimal' }, true, true, 'low'],
    [{ reasoningEffort: 'medium' }, undefined, true, 'medium'],
    [{ reasoningEffort: 'xhigh' }, true, true, 'high'],
    [{ thinkingBudget: 0 }, true, false, 'medium'],
    [{ thinkingBudget: 1_024 }, true, true, 'medium'],
    [{ reasoningEffort: 'high' }, false, undefined, undefined],
  ])('%j, can think: %p', (params, reasoning, plain, levelled) => {
    const capabilities = reasoning === undefined ? undefined : { reasoning };
    expect([thinkOf('qwen3:8b', params, capabilities), thinkOf('gpt-oss:20b', params, capabilities)]).toEqual([plain, levelled]);
  });
});
