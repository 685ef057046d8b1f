import { dir, dirOf } from './dir.js';
import { IllegalFileInputError } from './errors.js';
import { mount } from './mount.js';
import { fetched, text } from './text.js';
import type { Awaitable, NodeStat, TreeNode } from './types.js';

class Shop {
  sign = 'open';
  readonly goods = new Map<string, { price: Awaitable<string> }>();
}

const namespace = dir<Shop>({
  goods: dirOf<Shop, { price: Awaitable<string> }>(
    { sign: text('The sign', (shop) => shop.sign) },
    { label: '{good}', entries: (shop) => shop.goods, find: (shop, name) => shop.goods.get(name) },
    text('What it costs', (good) => good.price),
  ),
  news: fetched('Far away', () => 'nothing'),
});

describe('the stats of a directory', () => {
  let shop: Shop;
  let goods: TreeNode;

  beforeEach(() => {
    shop = new Shop();
    shop.goods.set('apple', { price: '10' }).set('pear', { price: '200' });
    const node = mount(namespace, shop).walk('goods');
    if (!node) throw new Error('no goods');
    goods = node;
  });

  const told = async (): Promise<readonly NodeStat[]> => goods.stats();
  const shown = async () => (await told()).map(({ name, length, version }) => `${name} ${length} v${version}`);

  it('are those of its nodes, in order', async () => {
    expect(await told()).toEqual(await Promise.all(goods.list().map(async (node) => node.stat())));
    expect(await shown()).toEqual(['sign 4 v0', 'apple 2 v0', 'pear 3 v0']);
  });

  it('are the very same array while nothing changes, whoever asks', async () => {
    const before = await told();
    expect(await told()).toBe(before);
    expect(await goods.walk('apple')?.walk('..')?.stats()).toBe(before);
  });

  it('tell each change: contents, additions, removals, order, another thing of the same name', async () => {
    await told();
    shop.sign = 'closed';
    expect(await shown()).toEqual(['sign 6 v1', 'apple 2 v0', 'pear 3 v0']);
    shop.goods.set('fig', { price: '4000' });
    expect(await shown()).toEqual(['sign 6 v1', 'apple 2 v0', 'pear 3 v0', 'fig 4 v0']);
    shop.goods.delete('apple');
    expect(await shown()).toEqual(['sign 6 v1', 'pear 3 v0', 'fig 4 v0']);
    const ids = (await told()).map(({ id }) => id);
    shop.goods.set('fig', { price: '4000' });
    expect((await told()).map(({ id }, index) => id === ids[index])).toEqual([true, true, false]);
    const [pear, fig] = [...shop.goods.values()];
    shop.goods.clear();
    if (pear && fig) shop.goods.set('fig', pear).set('pear', fig);
    expect(await shown()).toEqual(['sign 6 v1', 'fig 3 v0', 'pear 4 v0']);
  });

  it('are told to nobody else when an array was given: that one stays as it was', async () => {
    const before = await told();
    const copy = structuredClone(before);
    shop.sign = 'closed';
    shop.goods.clear();
    expect(await told()).not.toBe(before);
    expect(before).toEqual(copy);
  });

  it('wait for what is rendered later, and are kept all the same', async () => {
    shop.goods.set('fig', { price: Promise.resolve('12345') });
    expect(await shown()).toEqual(['sign 4 v0', 'apple 2 v0', 'pear 3 v0', 'fig 5 v0']);
    const [first, second] = await Promise.all([told(), told()]);
    expect(second).toBe(first);
  });

  it('do without a length that cannot be had', async () => {
    const price = Promise.reject<string>(new IllegalFileInputError('argument', 'none'));
    void Promise.allSettled([price]);
    shop.goods.set('fig', { price });
    expect(await shown()).toEqual(['sign 4 v0', 'apple 2 v0', 'pear 3 v0', 'fig 0 v0']);
  });

  it.each([
    ['that the next listing does not find', async () => goods.stats()],
    ['when nobody lists any more', async () => jest.advanceTimersByTimeAsync(10_000)],
  ])('hold no child that has gone, %s', async (_when, step) => {
    jest.useFakeTimers();
    const gone = new WeakRef(shop.goods.get('pear') ?? {});
    await told();
    shop.goods.delete('pear');
    await step();
    jest.useRealTimers();
    await collectGarbage();
    expect(gone.deref()).toBeUndefined();
  });

  it('are had from directories alone', () => {
    expect(() => goods.walk('sign')?.stats()).toThrow('not a directory');
  });
});

/** A WeakRef that was looked at is held until the turn has ended. */
async function collectGarbage(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  await new Promise((resolve) => setTimeout(resolve, 0));
  runInNewContext('gc()');
}
