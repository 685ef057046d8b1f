import { userInfo } from 'node:os';
import { openMode, WriteAllowance, type ServedNode } from '#ninep';
import { dir, dirOf, mount, text, type TreeNode } from '#virtfs';
import { TreeFileServer } from './tree-file-server.js';

const removeOnClose = 0x40;
const waiter = () => new AbortController();

/** Rows that never end what they are asked for, but note that they were told to stop. */
class Slow {
  readonly said: string[] = [];
  readonly children = [{ name: 'child' }];

  readonly wait = (what: string, signal: AbortSignal): Promise<never> => {
    this.said.push(what);
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error(`${what} stopped`))));
  };
}

const namespace = dir<Slow>({
  who: text('Who calls', (_s, { client }) => client.uname),
  child: dirOf<Slow, { name: string }>(
    {},
    {
      label: '{child}',
      entries: (slow) => slow.children.map((child) => [child.name, child] as const),
      find: (slow, name) => slow.children.find((child) => child.name === name),
      remove: (slow, _child, { signal }) => slow.wait('remove', signal),
      rename: (slow, _child, _name, { signal }) => slow.wait('rename', signal),
    },
    dir<{ name: string }>({}),
  ),
});

describe('a tree that is served', () => {
  let slow: Slow;

  beforeEach(() => {
    slow = new Slow();
  });

  const attach = (user: { readonly uname: string; readonly uid?: number }, root: TreeNode = mount(namespace, slow)) =>
    new TreeFileServer(root, { listen: [] }, {}).attach({
      aname: '',
      connectionId: 1,
      allowance: new WriteAllowance(1000),
      auth: undefined,
      ...user,
    });

  async function step(node: ServedNode, ...names: readonly string[]): Promise<ServedNode> {
    let at = node;
    for (const name of names) {
      const next = await at.walk(name);
      if (!next) throw new Error(`no ${name}`);
      at = next;
    }
    return at;
  }

  it.each<[string, { readonly uname: string; readonly uid?: number }, string]>([
    ['their name', { uname: 'glenda' }, 'glenda'],
    ['their name, also beside a number', { uname: 'glenda', uid: 4321 }, 'glenda'],
    ['our name, where the number is ours', { uname: '', uid: userInfo().uid }, userInfo().username],
    ['the number of others as it is', { uname: '', uid: 4321 }, '4321'],
    ['no name', { uname: '' }, ''],
  ])('knows who comes by %s', async (_what, user, name) => {
    const file = await (await step(await attach(user), 'who')).open(openMode.read);
    expect(
      Buffer.from(await file.read(0, 100, waiter()))
        .toString()
        .trim(),
    ).toBe(name);
  });

  it('opens directories for reading and searching, and for nothing else', async () => {
    const root = await attach({ uname: 'u' });
    for (const mode of [openMode.read, openMode.execute]) await expect(root.open(mode)).resolves.toBeDefined();
    for (const mode of [openMode.write, openMode.readWrite, openMode.truncate, removeOnClose]) {
      await expect(root.open(mode)).rejects.toThrow('permission denied');
    }
  });

  it.each<[string, (node: ServedNode, signal: AbortSignal) => unknown]>([
    ['remove', (node, signal) => node.remove(signal)],
    ['rename', (node, signal) => node.wstat({ name: 'other' }, signal)],
  ])('stops a %s that is aborted', async (what, change) => {
    const child = await step(await attach({ uname: 'u' }), 'child', 'child');
    const controller = new AbortController();
    const changing = Promise.resolve(change(child, controller.signal));
    while (slow.said.length === 0) await new Promise(setImmediate);
    controller.abort();
    await expect(changing).rejects.toThrow(`${what} stopped`);
  });

  it('tells a file who reads and writes, and why it is closed', async () => {
    const seen: unknown[] = [];
    const handle = {
      read: (...args: readonly unknown[]) => (seen.push(args), Buffer.from('x')),
      write: (...args: readonly unknown[]) => void seen.push(args),
      close: (reason: string) => void seen.push(reason),
    };
    const node = {
      isDirectory: false,
      mode: 0o660,
      name: 'f',
      open: () => handle,
      get parent() {
        return this;
      },
    };
    const file = await (await attach({ uname: 'u' }, node as never)).open(openMode.readWrite);
    const [reader, writer, data] = [waiter(), waiter(), Buffer.from('y')];
    await file.read(3, 4, reader);
    await file.write(5, data, writer);
    await file.close('hangup');
    expect(seen).toEqual([[3, 4, reader], [5, data, writer], 'hangup']);
    expect([(seen[0] as unknown[])[2], (seen[1] as unknown[])[2]].map((given, n) => given === [reader, writer][n])).toEqual([true, true]);
  });
});
