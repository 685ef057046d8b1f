import { ServedDir, ServedFile } from '#testkit';
import { Inodes, type Inode } from './inodes.js';
import { Views } from './views.js';

const ROOT = 1;

describe('what the clients of a mount see', () => {
  const left: (string | undefined)[] = [];
  let roots: Map<string | undefined, ServedDir>;
  let views: Views;
  let inodes: Inodes;
  let walks = 0;

  /** Each client has a root of its own, with one file that has another qid path for `stranger`. */
  function rootFor(tag: string | undefined): ServedDir {
    const root = new ServedDir('/', ROOT);
    const { walk } = root;
    root.walk = (name) => (walks++, walk.call(root, name));
    root.add(new ServedFile('file', tag === 'stranger' ? 99 : 10, 0o444));
    roots.set(tag, root);
    return root;
  }

  beforeEach(() => {
    left.length = walks = 0;
    roots = new Map();
    views = new Views({ attach: (tag) => ({ root: rootFor(tag), detach: () => void left.push(tag) }) });
    inodes = new Inodes({ path: ROOT, mode: 0o555 });
  });

  const enter = (path = 10): Inode => inodes.enter({ parent: inodes.get(1), name: 'file', path, mode: 0o444, length: 0 });
  const seen = async (tag: string | undefined, inode: Inode) => views.node(await views.of(tag), inode);
  const fileOf = (tag: string | undefined) => roots.get(tag)?.child('file');

  it('is found by one walk each, and again after it was forgotten or names have changed', async () => {
    const inode = enter();
    expect(await seen('a', inode)).toBe(fileOf('a'));
    expect(await seen('a', inode)).toBe(fileOf('a'));
    expect(walks).toBe(1);
    expect(await seen('b', inode)).toBe(fileOf('b'));
    expect(walks).toBe(2);
    views.forget(inode.id);
    await seen('a', inode);
    expect(walks).toBe(3);
    await views.rename(async () => undefined);
    await seen('a', inode);
    await seen('b', inode);
    expect(walks).toBe(5);
  });

  it('is walked to again where a rename crosses the way', async () => {
    const inode = enter();
    const view = await views.of('a');
    const root = roots.get('a');
    const file = fileOf('a') ?? new ServedFile('', 0, 0);
    let go: () => void = () => undefined;
    const rename = views.rename(async () => {
      root?.drop(file);
      root?.add(new ServedFile('renamed', 10, 0o444));
      await new Promise<void>((resolve) => (go = resolve));
      inodes.renamed(inodes.get(1), 'file', 'renamed');
    });
    const crossing = views.node(view, inode);
    await new Promise(setImmediate);
    go();
    expect(await crossing).toBe(root?.child('renamed'));
    await rename;
    root?.drop(root.child('renamed') ?? file);
    await views.rename(async () => undefined);
    await expect(views.node(view, inode)).rejects.toMatchObject({ posix: 'ESTALE' });
  });

  it('is what another sees where the way leads elsewhere, while that one is there', async () => {
    const inode = enter();
    await expect(seen('stranger', inode)).rejects.toMatchObject({ posix: 'ESTALE' });
    await seen('a', inode);
    expect(await seen('stranger', inode)).toBe(fileOf('a'));
    roots.get('stranger')?.drop(fileOf('stranger') ?? new ServedFile('', 0, 0));
    expect(await seen('stranger', inode)).toBe(fileOf('a'));
    for (let n = 0; n < 64; n++) await views.of(`other ${n}`);
    await expect(seen('stranger', inode)).rejects.toMatchObject({ posix: 'ESTALE' });
  });

  it('is kept of 64 clients, of whom the longest silent one goes', async () => {
    for (let n = 0; n < 64; n++) await views.of(`${n}`);
    expect(left).toEqual([]);
    await views.of('0');
    await views.of('new');
    await new Promise(setImmediate);
    expect(left).toEqual(['1']);
    views.detachAll();
    await new Promise(setImmediate);
    expect(new Set(left).size).toBe(65);
    expect(left).toHaveLength(65);
  });
});
