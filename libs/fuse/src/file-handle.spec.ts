import { openMode, type OpenFile } from '#ninep';
import { plainOpening, ServedFile } from '#testkit';
import { FileHandle, type Opening } from './file-handle.js';

const { signal } = new AbortController();

/** Notes what comes to the file; a read gives at most three bytes. */
class NotedFile {
  readonly said: string[] = [];
  readonly node = new ServedFile('file', 1, 0o664, (file, mode) => this.#opened(file, mode));
  hold: Promise<void> | undefined;
  refuses = false;

  async handle(opening: Partial<Opening>): Promise<FileHandle> {
    const whole = { node: this.node, mode: openMode.readWrite, isStream: false, isAppend: false, ...opening };
    return new FileHandle(whole, await this.node.open(whole.mode));
  }

  #opened(file: ServedFile, mode: number): OpenFile {
    const plain = plainOpening(file);
    this.said.push(`open ${mode}`);
    return {
      read: async (offset, count, waiter) => {
        this.said.push(`read ${offset} ${count}`);
        await this.hold;
        return plain.read(offset, Math.min(count, 3), waiter);
      },
      write: (offset, data, waiter) => {
        this.said.push(`write ${offset} ${Buffer.from(data).toString()}`);
        if (this.refuses) throw new Error('refused');
        return plain.write(offset, data, waiter);
      },
      close: (reason) => void this.said.push(reason),
    };
  }
}

describe('an open file', () => {
  let file: NotedFile;

  beforeEach(() => {
    file = new NotedFile();
    file.node.bytes = Buffer.from('0123456789');
  });

  const read = async (handle: FileHandle, offset: number, count: number, length = 10): Promise<string> =>
    Buffer.from(await handle.read({ offset, count, length }, signal)).toString();

  it('of a stream is read from its start after a write, a refused one too', async () => {
    const handle = await file.handle({ isStream: true });
    await read(handle, 0, 3);
    file.refuses = true;
    await expect(handle.write(0, Buffer.from('x'), signal)).rejects.toThrow('refused');
    await read(handle, 3, 3);
    expect(file.said).toEqual(['open 2', 'read 0 3', 'write 0 x', 'read 0 3']);
  });

  it('is read on until there is what was asked for, as far as the kernel knows of it', async () => {
    const handle = await file.handle({ mode: openMode.read });
    expect(await read(handle, 0, 8)).toBe('01234567');
    expect(file.said.splice(0)).toEqual(['open 0', 'read 0 8', 'read 3 5', 'read 6 2']);
    expect(await read(handle, 2, 100, 7)).toBe('234567');
    expect(file.said.splice(0)).toEqual(['read 2 100', 'read 5 97']);
    expect(await read(handle, 2, 100, 0)).toBe('234');
    expect(await read(handle, 8, 100)).toBe('89');
    expect(await read(handle, 10, 100)).toBe('');
    expect(file.said.splice(0)).toEqual(['read 2 100', 'read 8 100', 'read 10 100']);
  });

  it('that is shorter than the kernel thinks ends where it ends', async () => {
    const handle = await file.handle({ mode: openMode.read });
    expect(await read(handle, 6, 100, 50)).toBe('6789');
    expect(await read(handle, 20, 100, 50)).toBe('');
    expect(file.said).toEqual(['open 0', 'read 6 100', 'read 9 97', 'read 10 96', 'read 20 100']);
  });

  it('has nothing beyond all numbers, and takes nothing there', async () => {
    const handle = await file.handle({});
    expect(await read(handle, 2 ** 53, 10)).toBe('');
    await expect(handle.write(Number.MAX_SAFE_INTEGER, Buffer.from('x'), signal)).rejects.toMatchObject({ posix: 'EFBIG' });
    await handle.write(0, Buffer.alloc(0), signal);
    expect(file.said).toEqual(['open 2']);
    expect(handle.canCommit).toBe(false);
  });

  it('can be committed once after a write, unless its answer was read, or somebody is at work on it', async () => {
    const handle = await file.handle({});
    expect(handle.canCommit).toBe(false);
    await handle.write(0, Buffer.from('a'), signal);
    expect(handle.canCommit).toBe(true);
    await read(handle, 0, 1);
    expect(handle.canCommit).toBe(false);
    await handle.write(0, Buffer.from('b'), signal);
    let release: () => void = () => undefined;
    file.hold = new Promise((resolve) => (release = resolve));
    const reading = read(handle, 0, 1);
    await handle.write(0, Buffer.from('c'), signal);
    expect(handle.canCommit).toBe(false);
    release();
    await reading;
    expect(handle.canCommit).toBe(true);
    await handle.commit();
    expect(handle.canCommit).toBe(false);
    expect(file.said.filter((word) => word === 'clunk')).toHaveLength(1);
  });

  it('is opened anew after a commit, without being truncated again, and begins anew', async () => {
    const handle = await file.handle({ mode: openMode.readWrite | openMode.truncate, isStream: true });
    await handle.write(99, Buffer.from('abcd'), signal);
    expect([await read(handle, 0, 2), await read(handle, 0, 2)]).toEqual(['ab', 'cd']);
    await handle.commit();
    expect(await read(handle, 0, 3)).toBe('abc');
    await handle.write(99, Buffer.from('xy'), signal);
    await handle.write(99, Buffer.from('z'), signal);
    await handle.close('hangup');
    expect(file.said).toEqual([
      'open 18',
      'write 0 abcd',
      'read 0 2',
      'read 2 2',
      'clunk',
      'open 2',
      'read 0 3',
      'write 0 xy',
      'write 2 z',
      'hangup',
    ]);
  });

  it('is closed once, whoever closes it', async () => {
    const handle = await file.handle({});
    await handle.write(0, Buffer.from('a'), signal);
    await handle.commit();
    await handle.close('clunk');
    await handle.close('hangup');
    const other = await file.handle({});
    await other.close('hangup');
    await other.close('clunk');
    expect(file.said).toEqual(['open 2', 'write 0 a', 'clunk', 'open 2', 'hangup']);
  });

  it('is written at its end for O_APPEND, wherever that has come to', async () => {
    const handle = await file.handle({ mode: openMode.write, isAppend: true });
    await handle.write(0, Buffer.from('x'), signal);
    file.node.bytes = Buffer.from('short');
    await handle.write(0, Buffer.from('y'), signal);
    expect(file.said).toEqual(['open 1', 'write 10 x', 'write 5 y']);
  });
});
