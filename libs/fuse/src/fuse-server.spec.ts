import { constants } from 'node:fs';
import fc from 'fast-check';
import { NinepError, type OpenFile } from '#ninep';
import { eventually, FakeKernel, ServedDir, ServedFile, ServedTree, words } from '#testkit';

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
    expect(body.readUInt32LE(20)).toBe(1 << 19);
    const older = await kernel.ask(26, 0, words(7, 31, 0, 1 << 5, 0));
    expect([older.body.readUInt32LE(4), older.body.readUInt32LE(12)]).toEqual([31, 1 << 5]);
    expect(await kernel.ask(26, 0, words(6, 0, 0, 0))).toMatchObject({ errno: 'EPROTO' });
  });

  it('finds names, forgets them, and knows no others', async () => {
    const { body } = await kernel.ask(1, 1, Buffer.from('hello\0'));
    expect([body.length, body.readUInt32LE(24), body.readUInt32LE(48)]).toEqual([128, 0, 12]);
    await expect(kernel.lookup('dir/deep/deeper')).resolves.toBeGreaterThan(1);
    await expect(kernel.lookup('nothing')).rejects.toThrow('ENOENT');
    expect(await kernel.ask(1, 1, Buffer.from([0xff, 0xfe, 0]))).toMatchObject({ errno: 'ENOENT' });
    expect(kernel.server.nodes).toBe(5);
    const node = await kernel.lookup('hello');
    void kernel.send(2, node, words(2, 0)); // no reply
    void kernel.send(42, 0, words(1, 0, await kernel.lookup('dir'), 0, 2, 0));
    expect(kernel.server.nodes).toBe(3);
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
    expect(await kernel.ask(9999, 1)).toMatchObject({ errno: 'ENOSYS' });
    expect(await kernel.ask(39, 1)).toMatchObject({ errno: 'ENOTTY' });
    expect(await kernel.ask(35, 1, Buffer.alloc(16))).toMatchObject({ errno: 'EACCES' });
    expect(await kernel.ask(9, 1, Buffer.alloc(16))).toMatchObject({ errno: 'EACCES' });
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
    expect(readers).toHaveLength(300);
    expect(tree.root.child('closings')?.length).toBeGreaterThan(0);
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
      if (names.length === 5) (tree.root.child('many') as ServedDir).add(new ServedFile('late', 9999, 0o444));
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
    expect(await kernel.ask(45, dir, Buffer.concat([words(dir, 0, 2, 0), Buffer.from('c\0b\0')]))).toMatchObject({ errno: 'EINVAL' });
    expect(await kernel.ask(12, dir, Buffer.concat([words(1, 0), Buffer.from('c\0d\0')]))).toMatchObject({ errno: 'EXDEV' });
    expect(await kernel.ask(10, dir, Buffer.from('c\0'))).toMatchObject({ errno: undefined });
    await expect(kernel.lookup('dir/c')).rejects.toThrow('ENOENT');
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

describe('a file that is written to and answers', () => {
  const said: string[] = [];
  let kernel: FakeKernel;

  /** Answers with what was last written, and reports what came at which offset. */
  function conversation(): OpenFile {
    let answer = Buffer.from('usage\n');
    return {
      read: (offset, count) => answer.subarray(offset, offset + count),
      write: (offset, data) => {
        said.push(`${offset}:${Buffer.from(data).toString()}`);
        answer = Buffer.concat([Buffer.from('got '), data]);
      },
      close: () => void said.push('close'),
    };
  }

  beforeEach(async () => {
    said.length = 0;
    const root = new ServedDir('/', 1);
    root.add(new ServedFile('ctl', 2, 0o660, conversation));
    root.add(new ServedFile('prompt', 3, 0o220, conversation));
    kernel = await FakeKernel.start({ attach: () => ({ root }) });
  });

  it('has no positions: a read goes on where the last one ended, and starts anew after a write', async () => {
    const file = await kernel.open('ctl', O_RDWR);
    expect(file.flags).toBe(1 | 16);
    expect(text(await kernel.read(file, 0))).toBe('usage\n');
    expect(text(await kernel.read(file, 0))).toBe('');
    await kernel.write(file, 0, 'one');
    expect(text(await kernel.read(file, 0, 5))).toBe('got o');
    expect(text(await kernel.read(file, 0))).toBe('ne');
    await kernel.write(file, 0, 'two');
    expect(text(await kernel.read(file, 0))).toBe('got two');
  });

  it('takes effect when its opener closes the last descriptor, not before and not twice', async () => {
    const file = await kernel.open('prompt', O_WRONLY);
    const flush = () => kernel.ask(25, file.node, words(file.fh, 0));
    await flush();
    await kernel.write(file, 0, 'a');
    await kernel.write(file, 0, 'b');
    kernel.pid = 1; // a child of ours, say
    await flush();
    expect(said).toEqual(['0:a', '1:b']);
    kernel.pid = process.pid;
    await flush();
    await flush();
    expect(said).toEqual(['0:a', '1:b', 'close']);
    await kernel.ask(18, file.node, words(file.fh, 0));
    expect(said).toEqual(['0:a', '1:b', 'close']);
  });

  it('is opened anew by a write that comes after', async () => {
    const file = await kernel.open('prompt', O_WRONLY);
    await kernel.write(file, 0, 'a');
    await kernel.ask(25, file.node, words(file.fh, 0));
    await kernel.write(file, 0, 'b');
    await kernel.ask(18, file.node, words(file.fh, 0));
    await eventually(() => said.length === 4);
    expect(said).toEqual(['0:a', 'close', '0:b', 'close']);
  });
});

it('tells the one who closes that what was written is refused', async () => {
  const tree = new ServedTree();
  const kernel = await FakeKernel.start({ attach: () => ({ root: tree.root }) });
  const file = await kernel.open('sour', O_WRONLY);
  await kernel.write(file, 0, 'x');
  const { errno } = await kernel.ask(25, file.node, words(file.fh, 0));
  expect(errno).toBeDefined();
  expect(await kernel.ask(25, file.node, words(file.fh, 0))).toMatchObject({ errno: undefined });
});
