import { closeSync, constants, fstatSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NinepError, type OpenFile } from '#ninep';
import { eventually, FakeKernel, plainOpening, ServedDir, ServedFile, ServedTree, words, type Opening } from '#testkit';

const { O_WRONLY, O_RDWR, O_TRUNC } = constants;
const text = ({ body }: { readonly body: Buffer }): string => body.toString();

describe('a file', () => {
  const said: string[] = [];
  let root: ServedDir;
  let kernel: FakeKernel;
  let opening: Opening;

  beforeEach(async () => {
    said.length = 0;
    opening = (file, mode) => (said.push(`open ${mode}`), { ...plainOpening(file), close: (reason) => void said.push(reason) });
    root = new ServedDir('/', 1);
    add('file', 0o664);
    kernel = await FakeKernel.start({ attach: () => ({ root }) });
  });

  function add(name: string, mode: number): ServedFile {
    return root.add(new ServedFile(name, 10 + said.length, mode, (file, how) => opening(file, how)));
  }
  const file = () => root.child('file') as ServedFile;
  const closed = ({ fh }: { readonly fh: number }) => kernel.ask(18, 0, words(fh, 0));

  it('is opened as often as it is opened, and each open is let go of once', async () => {
    const [one, other] = [await kernel.open('file', O_RDWR), await kernel.open('file')];
    expect(said.splice(0)).toEqual(['open 2', 'open 0']);
    await closed(one);
    expect(await kernel.read(other, 0)).toMatchObject({ errno: undefined });
    expect(await closed(one)).toMatchObject({ errno: 'EBADF' });
    await closed(other);
    expect(said).toEqual(['clunk', 'clunk']);
    for (const opcode of [15, 16, 18, 20, 25, 28, 29]) {
      expect(await kernel.ask(opcode, one.node, words(one.fh, 0, 0, 0, 0, 0, 0, 0, 0, 0))).toMatchObject({ errno: 'EBADF' });
    }
  });

  it('is truncated by who may write it, and by no reader', async () => {
    for (const flags of [O_TRUNC, O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC]) await kernel.open('file', flags);
    expect(said).toEqual(['open 0', 'open 17', 'open 18']);
  });

  it.each([
    [0o444, 0, 1 | 32],
    [0o440, 0, 1 | 32],
    [0o664, O_RDWR, 1],
    [0o660, O_RDWR, 1 | 16],
    [0o660, 0, 1 | 16 | 32],
    [0o220, O_WRONLY, 1 | 16],
  ])('of mode 0%o, opened with %i, behaves as %i says', async (mode, flags, expected) => {
    add('other', mode);
    expect((await kernel.open('other', flags)).flags).toBe(expected);
  });

  it('takes as many bytes as the request says it has, and as there are', async () => {
    const { node, fh } = await kernel.open('file', O_WRONLY);
    const write = (size: number, text: string) =>
      kernel.ask(16, node, Buffer.concat([words(fh, 0, 0, 0, size, 0, 0, 0, 0, 0), Buffer.from(text)]));
    expect((await write(3, 'onefour')).body.readUInt32LE(0)).toBe(3);
    expect(file().bytes.toString()).toBe('one');
    expect((await write(9, 'two')).body.readUInt32LE(0)).toBe(3);
  });

  it('is as long for a read as the kernel was last told', async () => {
    opening = (of) => ({ ...plainOpening(of), read: (offset, count) => of.bytes.subarray(offset, offset + Math.min(count, 2)) });
    const handle = await kernel.open('file');
    file().bytes = Buffer.from('longer');
    expect(text(await kernel.read(handle, 0))).toBe('lo');
    await kernel.ask(3, handle.node);
    expect(text(await kernel.read(handle, 0))).toBe('longer');
  });

  it('that was opened for a caller who has gone is closed again', async () => {
    let open: () => void = () => undefined;
    const plain = opening;
    opening = async (of, mode) => {
      await new Promise<void>((resolve) => (open = resolve));
      return plain(of, mode);
    };
    const node = await kernel.lookup('file');
    const { unique, reply } = kernel.send(14, node, words(0, 0));
    await new Promise(setImmediate);
    kernel.interrupt(unique);
    expect(await reply).toMatchObject({ errno: 'EINTR' });
    open();
    await eventually(() => said.length === 2);
    expect(said).toEqual(['open 0', 'hangup']);
    await kernel.server.end();
    expect([said, kernel.strays]).toEqual([['open 0', 'hangup'], []]);
  });

  it.each([
    ['reader what it has got', 15],
    ['writer that all was written', 16],
    ['closer that what was written has taken effect', 25],
  ])('tells an interrupted %s, if it is so', async (_what, opcode) => {
    let finish: () => void = () => undefined;
    const slowly = () => new Promise<void>((resolve) => (finish = resolve));
    opening = (of) => ({
      read: () => slowly().then(() => Buffer.from('x')),
      write: opcode === 16 ? slowly : plainOpening(of).write,
      close: slowly,
    });
    const opened = await kernel.open('file', O_RDWR);
    if (opcode === 25) await kernel.write(opened, 0, 'x');
    const { unique, reply } = kernel.send(
      opcode,
      opened.node,
      Buffer.concat([words(opened.fh, 0, 0, 0, 1, 0, 0, 0, 0, 0), Buffer.from('x')]),
    );
    await new Promise(setImmediate);
    kernel.interrupt(unique);
    await new Promise(setImmediate);
    finish();
    expect(await reply).toMatchObject({ errno: undefined });
  });

  it.each(['release', 'the end of the mount'])('that cannot be closed at %s is a bug, unless it says why', async (when) => {
    const errors: unknown[] = [new NinepError('illegal value: x=y', 'EINVAL'), new TypeError('broken')];
    opening = (of) => ({
      ...plainOpening(of),
      close: () => {
        throw errors.shift();
      },
    });
    const handles = [await kernel.open('file'), await kernel.open('file')];
    const released = when === 'release' ? await Promise.all(handles.map(closed)) : [];
    await kernel.server.end();
    expect(released.map(({ errno }) => errno)).toEqual(released.map(() => undefined));
    expect(errors).toEqual([]);
    expect(kernel.bugs.map(String)).toEqual(['TypeError: broken']);
  });

  it('belongs to the process that opened it, in whichever thread of it that was', async () => {
    root.add(new ServedFile('prompt', 3, 0o220, (of, how) => opening(of, how)));
    const threads = readdirSync('/proc/self/task').map(Number);
    kernel.pid = threads.find((thread) => thread !== process.pid) ?? 0;
    const handle = await kernel.open('prompt', O_WRONLY);
    await kernel.write(handle, 0, 'x');
    kernel.pid = process.pid;
    await kernel.ask(25, handle.node, words(handle.fh, 0));
    expect(said).toEqual(['open 1', 'clunk']);
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

  it('takes no effect while its opener has another descriptor of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'prompt-'));
    const descriptor = openSync(join(folder, 'prompt'), 'w');
    const root = new ServedDir('/', 1);
    root.add(new ServedFile('prompt', fstatSync(descriptor).ino, 0o220, conversation));
    const other = await FakeKernel.start({ attach: () => ({ root }) });
    const file = await other.open('prompt', O_WRONLY);
    await other.write(file, 0, 'a');
    await other.ask(25, file.node, words(file.fh, 0));
    expect(said).toEqual(['0:a']);
    closeSync(descriptor);
    rmSync(folder, { recursive: true });
    await other.ask(25, file.node, words(file.fh, 0));
    expect(said).toEqual(['0:a', 'close']);
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
