import type { ModelInfo } from '#model';
import { ModelList } from './model-list.js';

const never = new AbortController().signal;

describe('the list of a backend', () => {
  it('that was asked for before it was forgotten is not kept, even when it comes last', async () => {
    const tell: ((models: readonly ModelInfo[]) => void)[] = [];
    const list = new ModelList(() => new Promise((resolve) => void tell.push(resolve)), Date.now);
    const before = list.get(never);
    list.forget();
    const after = list.get(never);
    tell[1]?.([{ id: 'new' }]);
    tell[0]?.([{ id: 'old' }]);
    expect([await before, await after, await list.get(never)]).toEqual([[{ id: 'old' }], [{ id: 'new' }], [{ id: 'new' }]]);
  });
});
