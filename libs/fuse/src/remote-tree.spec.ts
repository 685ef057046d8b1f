import { NinepError, openMode, type ServedNode } from '#ninep';
import { eventually, ServedBench, ServedFile, ServedTree } from '#testkit';
import { RemoteTree } from './remote-tree.js';

const waiter = () => {
  const controller = new AbortController();
  return { signal: controller.signal, stop: () => controller.abort(new Error('enough')) };
};

describe('the tree of a 9P server', () => {
  let tree: ServedTree;
  let bench: ServedBench;
  let remote: RemoteTree;

  beforeEach(async () => {
    tree = new ServedTree();
    bench = await ServedBench.start(tree, { limits: { maxFidsPerConnection: 6 } });
    remote = await dial('glenda');
  });
  afterEach(async () => {
    remote.close();
    await bench.close();
  });

  const dial = (uname: string, secret?: string) =>
    RemoteTree.dial({
      address: bench.address,
      uname,
      aname: '',
      anameOf: (tag) => `client=${tag}`,
      ...(secret !== undefined && { secret }),
    });

  const bytesOf = (name: string): Buffer => (tree.root.child(name) as ServedFile).bytes;
  const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

  async function walk(path: string): Promise<ServedNode> {
    let node = (await remote.attach(undefined)).root;
    for (const name of path.split('/')) {
      const next = await node.walk(name);
      if (!next) throw new Error(`no ${name}`);
      node = next;
    }
    return node;
  }

  it('lets each client in with the secret', async () => {
    await expect(dial('guarded')).rejects.toMatchObject({ posix: 'EACCES' });
    const guarded = await dial('guarded', 'open sesame');
    expect((await guarded.attach('1.2.3')).root.qid).toEqual({ type: 128, version: 0, path: 0 });
    guarded.close();
  });

  it('keeps nothing for clients that have left', async () => {
    for (let n = 0; n < 20; n++) (await remote.attach(`${n}`)).detach?.();
    expect(textOf(await (await (await walk('hello')).open(openMode.read)).read(0, 100, waiter()))).toBe('hello world\n');
  });

  it('is still seen by a client that has left as itself, not as who came after it', async () => {
    const seen: string[] = [];
    const { attach } = tree;
    tree.attach = (request) => {
      seen.push(request.aname);
      return attach.call(tree, request);
    };
    const first = await remote.attach('first');
    const dir = await first.root.walk('dir');
    const data = await first.root.walk('data');
    first.detach?.();
    const hello = await (await walk('hello')).open(openMode.read);
    await remote.attach('second');
    expect((await dir?.list())?.map(({ name }) => name)).toEqual(['a', 'b', 'deep']);
    expect(seen).toEqual(['client=first', 'client=second', 'client=first']);
    await data?.wstat({ length: 3 }, waiter().signal);
    const file = await data?.open(openMode.read);
    await hello.close('clunk');
    for (let n = 0; n < 20; n++) expect(await dir?.walk('a')).toBeDefined();
    expect(await file?.read(0, 100, waiter())).toHaveLength(3);
  });

  it('knows what is not there from what may not be seen', async () => {
    const { root } = await remote.attach(undefined);
    expect(await root.walk('nothing')).toBeUndefined();
    tree.root.walk = () => {
      throw new NinepError('permission denied', 'EACCES');
    };
    await expect(root.walk('hello')).rejects.toMatchObject({ posix: 'EACCES' });
  });

  it('tells once what a walk has found, then what is there now', async () => {
    const node = await walk('data');
    expect(await node.stat()).toMatchObject({ length: 10 });
    (tree.root.child('data') as ServedFile).bytes = Buffer.from('longer than that');
    expect(await node.stat()).toMatchObject({ length: 16 });
    expect(await node.stat()).toMatchObject({ length: 16 });
  });

  it('tells nothing later that a walk has found long before', async () => {
    const node = await walk('data');
    (tree.root.child('data') as ServedFile).bytes = Buffer.from('longer than that');
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(await node.stat()).toMatchObject({ length: 16 });
  });

  it('has directories that are listed, and not read or written', async () => {
    const dir = await walk('dir');
    const file = await dir.open(openMode.read);
    expect(await file.read(0, 100, waiter())).toHaveLength(0);
    expect(() => file.write(0, Buffer.from('x'), waiter())).toThrow('EISDIR');
    expect((await dir.list()).map(({ name }) => name)).toEqual(['a', 'b', 'deep']);
  });

  it('is read on by the same file after an aborted read, and truncated once', async () => {
    const block = await (await walk('block')).open(openMode.read);
    const first = waiter();
    const reading = block.read(0, 100, first);
    await eventually(() => tree.waiting === 1);
    first.stop();
    await expect(reading).rejects.toThrow('enough');
    await eventually(() => tree.waiting === 0);
    const again = block.read(0, 100, waiter());
    await eventually(() => tree.waiting === 1);
    tree.release();
    expect(textOf(await again)).toBe('released\n');
    await block.close('clunk');
    await eventually(() => textOf(bytesOf('closings')) === 'block clunk\nblock clunk\n');

    const slow = await (await walk('slow')).open(openMode.write | openMode.truncate);
    const second = waiter();
    const writing = slow.write(0, Buffer.from('lost'), second);
    await eventually(() => tree.waiting === 1);
    second.stop();
    await expect(writing).rejects.toThrow('enough');
    await eventually(() => tree.waiting === 0);
    (tree.root.child('slow') as ServedFile).bytes = Buffer.from('kept');
    const last = slow.write(4, Buffer.from(' too'), waiter());
    await eventually(() => tree.waiting === 1);
    tree.release();
    await last;
    expect(textOf(bytesOf('slow'))).toBe('kept too');
    await slow.close('clunk');
  });

  it('goes on with a file that has refused something', async () => {
    const bug = await (await walk('bug')).open(openMode.read);
    for (let n = 0; n < 20; n++) await expect(bug.read(0, 10, waiter())).rejects.toThrow('something broke');
    await bug.close('clunk');
    expect(textOf(bytesOf('closings'))).toBe('bug clunk\n');
  });

  it('is changed and pruned, which an abort ends', async () => {
    await (await walk('dir/a')).wstat({ name: 'c' }, waiter().signal);
    await (await walk('dir/b')).remove(waiter().signal);
    expect((await (await walk('dir')).list()).map(({ name }) => name)).toEqual(['deep', 'c']);
    const deep = await walk('dir/deep');
    const file = await walk('dir/c');
    const served = (await tree.root.walk('dir')?.walk('c')) as unknown as Record<string, unknown>;
    let began = 0;
    served['wstat'] = served['remove'] = (...args: readonly unknown[]) =>
      new Promise((_resolve, reject) => {
        began++;
        (args.at(-1) as AbortSignal).addEventListener('abort', () => reject(new Error('ended')));
      });
    for (const [n, change] of [
      (signal: AbortSignal) => file.wstat({ length: 0 }, signal),
      (signal: AbortSignal) => file.remove(signal),
    ].entries()) {
      const { signal, stop } = waiter();
      const changing = Promise.resolve(change(signal));
      await eventually(() => began === n + 1);
      stop();
      await expect(changing).rejects.toThrow('enough');
    }
    expect(deep.qid.path).toBe(14);
  });
});
