import { constants } from 'node:fs';
import fc from 'fast-check';
import { NinepError } from '#ninep';
import { eventually, FakeKernel, ServedDir, ServedFile, ServedTree, words } from '#testkit';
import { initOut } from './protocol.js';

const { O_WRONLY, O_RDWR, O_TRUNC, O_APPEND } = constants;
const text = ({ body }: { readonly body: Buffer }): string => body.toString();

describe('a FUSE server', () => {
  let tree: ServedTree;
  let kernel: FakeKernel;

  beforeEach(async () => {
    tree = new ServedTree();
    kernel = await FakeKernel.start({ attach: () => ({ root: tree.root }) });
  });
  afterEach(async () => {
    await kernel.server.end();
    if (kernel.strays.length > 0) throw new Error(`answered twice: ${kernel.strays.join(' ')}`);
  });

  it('agrees on the version and on what both can do', async () => {
    const { body } = await kernel.ask(26, 0, words(7, 45, 1234, 0xffffffff, 0));
    expect([body.length, body.readUInt32LE(0), body.readUInt32LE(4), body.readUInt32LE(8)]).toEqual([64, 7, 38, 1234]);
    expect(body.readUInt32LE(12)).toBe((1 << 3) | (1 << 5) | (1 << 18) | (1 << 22));
    expect(initOut.decode(body)).toMatchObject({ maxWrite: 1 << 19, maxPages: 128, maxBackground: 256, congestionThreshold: 256 });
    expect(initOut.decode(body)).toMatchObject({ timeGran: 1_000_000_000 });
    const older = await kernel.ask(26, 0, words(7, 31, 0, 1 << 5, 0));
    expect([older.body.readUInt32LE(4), older.body.readUInt32LE(12)]).toEqual([31, 1 << 5]);
    expect(await kernel.ask(26, 0, words(6, 0, 0, 0))).toMatchObject({ errno: 'EPROTO' });
  });

  it('finds names, forgets them, and knows no others', async () => {
    const { body } = await kernel.ask(1, 1, Buffer.from('hello\0'));
    expect([body.length, body.readUInt32LE(24), body.readUInt32LE(48)]).toEqual([128, 0, 12]);
    await expect(kernel.lookup('dir/deep/deeper')).resolves.toBeGreaterThan(1);
    await expect(kernel.lookup('nothing')).rejects.toThrow('ENOENT');
    tree.root.add(new ServedFile('\ufffd', 9999, 0o444)); // what a decoder makes of such bytes
    expect(await kernel.ask(1, 1, Buffer.from([0xff, 0]))).toMatchObject({ errno: 'ENOENT' });
    expect(kernel.server.nodes).toBe(5);
    const node = await kernel.lookup('hello');
    void kernel.send(2, node, words(2, 0)); // no reply
    const [dir, deep] = [await kernel.lookup('dir'), await kernel.lookup('dir/deep')];
    void kernel.send(42, 0, words(2, 0, dir, 0, 3, 0, deep, 0, 2, 0)); // as often as each was looked up
    expect(kernel.server.nodes).toBe(2);
    expect(await kernel.ask(3, deep)).toMatchObject({ errno: 'ESTALE' });
    expect(await kernel.ask(3, node)).toMatchObject({ errno: 'ESTALE' });
  });

  it('reads by offset, beyond the end and beyond all numbers', async () => {
    const file = await kernel.open('hello');
    expect(file.flags).toBe(1 | 32);
    expect(text(await kernel.read(file, 6, 3))).toBe('wor');
    expect(text(await kernel.read(file, 12))).toBe('');
    expect(text(await kernel.ask(15, file.node, words(file.fh, 0, 0, 0x7fffffff, 10, 0, 0, 0, 0, 0)))).toBe('');
    expect(await kernel.ask(18, file.node, words(file.fh, 0))).toMatchObject({ errno: undefined });
    expect(await kernel.read(file, 0)).toMatchObject({ errno: 'EBADF' });
  });

  it('writes by offset, at the end for O_APPEND, and truncates at open and by setattr', async () => {
    const data = await kernel.open('data', O_WRONLY | O_TRUNC);
    expect(data.flags).toBe(1);
    expect((await kernel.write(data, 0, 'one')).body.readUInt32LE(0)).toBe(3);
    await kernel.write(data, 3, 'two');
    const appending = await kernel.open('data', O_WRONLY | O_APPEND);
    await kernel.write(appending, 0, 'three');
    expect(text(await kernel.read(await kernel.open('data'), 0))).toBe('onetwothree');
    const cut = await kernel.ask(4, data.node, words(8, 0, 0, 0, 4, 0, ...Array.from({ length: 16 }, () => 0)));
    expect([cut.errno, cut.body.readUInt32LE(24)]).toEqual([undefined, 4]);
  });

  it('tells errors by their errno, and bugs as EIO to the caller and in full to its owner', async () => {
    await expect(kernel.open('locked')).rejects.toThrow('EACCES');
    await expect(kernel.open('hello', O_RDWR)).rejects.toThrow('EACCES');
    await expect(kernel.lookup('vault/gold')).rejects.toThrow('EACCES');
    expect(await kernel.read(await kernel.open('bug'), 0)).toMatchObject({ errno: 'EIO' });
    expect(await kernel.read(await kernel.open('greedy'), 0)).toMatchObject({ errno: 'EIO' });
    expect(kernel.bugs).toHaveLength(2);
  });

  it.each([
    ['create', 35, 'EACCES'],
    ['mknod', 8, 'EACCES'],
    ['mkdir', 9, 'EACCES'],
    ['symlink', 6, 'EPERM'],
    ['link', 13, 'EPERM'],
    ['tmpfile', 51, 'EOPNOTSUPP'],
    ['readlink', 5, 'EINVAL'],
    ['ioctl', 39, 'ENOTTY'],
    ['getxattr', 22, 'ENOSYS'],
    ['what nobody knows', 9999, 'ENOSYS'],
    ['fsyncdir', 30, undefined],
    ['destroy', 38, undefined],
  ])('answers %s (%i) with %s', async (_what, opcode, errno) => {
    expect(await kernel.ask(opcode, 1, Buffer.alloc(64))).toMatchObject({ errno });
  });

  it('answers an interrupted read, and the next read of the handle as if nothing had been', async () => {
    const file = await kernel.open('block');
    const first = kernel.send(15, file.node, words(file.fh, 0, 0, 0, 100, 0, 0, 0, 0, 0));
    await eventually(() => tree.waiting === 1);
    kernel.interrupt(first.unique);
    expect(await first.reply).toMatchObject({ errno: 'EINTR' });
    expect(tree.waiting).toBe(0);
    kernel.interrupt(first.unique); // answered already
    const second = kernel.read(file, 0);
    await eventually(() => tree.waiting === 1);
    tree.release();
    expect(text(await second)).toBe('released\n');
  });

  it('serves others while hundreds wait, and ends them all with the mount', async () => {
    const file = await kernel.open('block');
    const readers = Array.from({ length: 300 }, () => kernel.read(file, 0));
    await eventually(() => tree.waiting === 300);
    expect(text(await kernel.read(await kernel.open('hello'), 0))).toBe('hello world\n');
    await kernel.server.end();
    expect(tree.waiting).toBe(0);
    // There is nobody any more to be answered.
    expect(await Promise.race([...readers, new Promise((resolve) => setImmediate(resolve, 'silence'))])).toBe('silence');
    expect((tree.root.child('closings') as ServedFile).bytes.toString()).toBe('block hangup\nhello hangup\n');
  });

  it('answers an interrupted look that does not hang as if nothing had been: no program expects EINTR of stat(2)', async () => {
    let go = (): void => undefined;
    const walked = new Promise<void>((resolve) => (go = resolve));
    const root = new ServedDir('/', 1);
    const file = root.add(new ServedFile('late', 2, 0o444));
    root.walk = () => walked.then(() => file) as never;
    const other = await FakeKernel.start({ attach: () => ({ root }) });
    const { unique, reply } = other.send(1, 1, Buffer.from('late\0'));
    other.interrupt(unique);
    setTimeout(go, 50);
    expect((await reply).errno).toBeUndefined();
  });

  it('answers an interrupted lookup of a server that hangs, and counts nothing for it', async () => {
    const hanging = new ServedDir('/', 1);
    hanging.walk = () => new Promise<undefined>(() => undefined) as never;
    const other = await FakeKernel.start({ attach: () => ({ root: hanging }) });
    const { unique, reply } = other.send(1, 1, Buffer.from('a\0'));
    other.interrupt(unique);
    expect(await reply).toMatchObject({ errno: 'EINTR' });
    expect(other.server.nodes).toBe(1);
  });

  it('answers an interrupted lookup once, and what it finds afterwards is not counted', async () => {
    const slow = new ServedDir('/', 1);
    const file = slow.add(new ServedFile('a', 2, 0o444));
    let find: (found: ServedFile) => void = () => undefined;
    slow.walk = () => new Promise<ServedFile>((resolve) => (find = resolve)) as never;
    const other = await FakeKernel.start({ attach: () => ({ root: slow }) });
    const { unique, reply } = other.send(1, 1, Buffer.from('a\0'));
    await new Promise(setImmediate);
    other.interrupt(unique);
    expect(await reply).toMatchObject({ errno: 'EINTR' });
    find(file);
    await new Promise(setImmediate);
    expect([other.strays, other.server.nodes, other.bugs]).toEqual([[], 1, []]);
  });

  it('lists in whole entries from where the kernel was, as the directory was at first', async () => {
    const many = await kernel.lookup('many');
    const fh = (await kernel.ask(27, many, words(0, 0))).body.readUInt32LE(0);
    const names: string[] = [];
    for (let offset = 0; ;) {
      const { body } = await kernel.ask(28, many, words(fh, 0, offset, 0, 200, 0, 0, 0, 0, 0));
      if (body.length === 0) break;
      expect(body.length).toBeLessThanOrEqual(200);
      for (let at = 0; at < body.length; at += Math.ceil((24 + body.readUInt32LE(at + 16)) / 8) * 8) {
        names.push(body.subarray(at + 24, at + 24 + body.readUInt32LE(at + 16)).toString());
        offset = body.readUInt32LE(at + 8);
      }
      if (names.length === 6) (tree.root.child('many') as ServedDir).add(new ServedFile('late', 9999, 0o444));
    }
    expect(names.slice(0, 3)).toEqual(['.', '..', 'entry00']);
    expect(names).toHaveLength(102);
    expect(await kernel.ask(29, many, words(fh, 0))).toMatchObject({ errno: undefined });
  });

  it('renames within a directory and removes', async () => {
    const dir = await kernel.lookup('dir');
    const node = await kernel.lookup('dir/a');
    expect(await kernel.ask(12, dir, Buffer.concat([words(dir, 0), Buffer.from('a\0c\0')]))).toMatchObject({ errno: undefined });
    expect(await kernel.lookup('dir/c')).toBe(node);
    expect(await kernel.ask(45, dir, Buffer.concat([words(dir, 0, 0, 0), Buffer.from('c\0b\0')]))).toMatchObject({ errno: 'EEXIST' });
    expect(await kernel.ask(45, dir, Buffer.concat([words(dir, 0, 1, 0), Buffer.from('c\0b\0')]))).toMatchObject({ errno: 'EEXIST' });
    expect(await kernel.ask(45, dir, Buffer.concat([words(dir, 0, 2, 0), Buffer.from('c\0b\0')]))).toMatchObject({ errno: 'EINVAL' });
    expect(await kernel.ask(12, dir, Buffer.concat([words(1, 0), Buffer.from('c\0d\0')]))).toMatchObject({ errno: 'EXDEV' });
    expect(await kernel.ask(10, dir, Buffer.from('c\0'))).toMatchObject({ errno: undefined });
    await expect(kernel.lookup('dir/c')).rejects.toThrow('ENOENT');
  });

  it('goes a way once, and again when names have changed', async () => {
    const dir = await kernel.lookup('dir');
    const node = await kernel.lookup('dir/a');
    const served = tree.root.child('dir') as ServedDir;
    const walks: string[] = [];
    const { walk } = served;
    served.walk = (name) => (walks.push(name), walk.call(served, name));
    await kernel.ask(3, node);
    expect(walks).toEqual([]);
    await kernel.ask(12, dir, Buffer.concat([words(dir, 0), Buffer.from('b\0c\0')]));
    await kernel.ask(3, node);
    await kernel.ask(3, node);
    expect(walks).toEqual(['b', 'a']);
  });

  it.each([
    ['unlink', 10, Buffer.from('a\0')],
    ['rmdir', 11, Buffer.from('a\0')],
    ['rename', 12, Buffer.concat([words(0, 0), Buffer.from('a\0c\0')])],
    ['setattr', 4, words(8, ...Array.from({ length: 21 }, () => 0))],
  ])('ends an interrupted %s in the tree, and tells what became of it', async (_what, opcode, body) => {
    const dir = await kernel.lookup('dir');
    const node = opcode === 4 ? await kernel.lookup('dir/a') : dir;
    if (opcode === 12) body.writeUInt32LE(dir, 0);
    const file = (tree.root.child('dir') as ServedDir).child('a') as ServedFile;
    let began = false;
    const until = (signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        began = true;
        signal.addEventListener('abort', () => reject(new NinepError('too late', 'EBUSY')));
      });
    Object.assign(file, { remove: until, wstat: (_change: unknown, signal: AbortSignal) => until(signal) });
    const { unique, reply } = kernel.send(opcode, node, body);
    await eventually(() => began);
    kernel.interrupt(unique);
    expect(await reply).toMatchObject({ errno: 'EBUSY' });
  });

  it('survives requests of random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(60), fc.nat(3), fc.uint8Array({ maxLength: 100 }), async (opcode, node, body) => {
        if (opcode === 2 || opcode === 36 || opcode === 42) return; // these have no reply
        expect(await kernel.ask(opcode, node, body)).toBeDefined();
      }),
    );
  });
});

describe('who calls', () => {
  it('is another client of the tree for each tag, at most 64 at a time', async () => {
    const attached: (string | undefined)[] = [];
    const left: (string | undefined)[] = [];
    const { root } = new ServedTree();
    const kernel = await FakeKernel.start({ attach: (tag) => (attached.push(tag), { root, detach: () => void left.push(tag) }) }, (pid) =>
      pid < 10 ? undefined : `tag ${pid >> 1}`,
    );
    for (const pid of [5, 100, 101, 100, 102, 0]) {
      kernel.pid = pid;
      await kernel.lookup('hello');
    }
    expect(attached).toEqual([undefined, 'tag 50', 'tag 51']);
    for (let pid = 200; pid < 400; pid += 2) {
      kernel.pid = pid;
      await kernel.lookup('hello');
    }
    expect(left).toHaveLength(attached.length - 64);
    kernel.pid = 100;
    expect(await kernel.ask(3, await kernel.lookup('hello'))).toMatchObject({ errno: undefined });
    await kernel.server.end();
    expect(left).toHaveLength(attached.length);
  });

  it('hears why it could not attach, and may try again', async () => {
    let refuses = false;
    const { root } = new ServedTree();
    const attach = () => {
      if (refuses) throw new NinepError('permission denied', 'EACCES');
      return { root };
    };
    const kernel = await FakeKernel.start({ attach }, String);
    refuses = true;
    await expect(kernel.lookup('hello')).rejects.toThrow('EACCES');
    refuses = false;
    await expect(kernel.lookup('hello')).resolves.toBeGreaterThan(1);
  });
});
