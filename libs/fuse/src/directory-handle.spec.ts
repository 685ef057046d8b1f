import { ServedDir, ServedFile } from '#testkit';
import { DirectoryHandle } from './directory-handle.js';
import { direntHead } from './protocol.js';

const DIRECTORY = 4;
const REGULAR = 8;
const PARENT = 77;
const EACH = 32;

describe('a directory being read', () => {
  let directory: ServedDir;
  let handle: DirectoryHandle;

  beforeEach(() => {
    directory = new ServedDir('d', 0);
    directory.add(new ServedFile('seven..', 2, 0o444));
    directory.add(new ServedFile('eight...', 3, 0o444));
    directory.add(new ServedDir('deep', 4));
    handle = new DirectoryHandle(directory, PARENT);
  });

  async function read(offset: number, size: number) {
    const bytes = await handle.read(offset, size);
    const entries = [];
    for (let at = 0; at < bytes.length; at += EACH) {
      const { namelen, ...entry } = direntHead.decode(bytes, at);
      const name = bytes.subarray(at + direntHead.size, at + direntHead.size + namelen).toString();
      entries.push({ name, ...entry });
    }
    return entries;
  }

  it('tells itself, its parent, and what is in it: numbers, types, and where to go on', async () => {
    expect(await read(0, 4096)).toEqual([
      { name: '.', ino: Number.MAX_SAFE_INTEGER, off: 1, type: DIRECTORY },
      { name: '..', ino: PARENT, off: 2, type: DIRECTORY },
      { name: 'seven..', ino: 2, off: 3, type: REGULAR },
      { name: 'eight...', ino: 3, off: 4, type: REGULAR },
      { name: 'deep', ino: 4, off: 5, type: DIRECTORY },
    ]);
  });

  const names = async (offset: number, size: number) => (await read(offset, size)).map(({ name }) => name);

  it('gives as many whole entries as there is room for', async () => {
    expect(await names(0, 2 * EACH)).toEqual(['.', '..']);
    expect(await names(2, 2 * EACH - 1)).toEqual(['seven..']);
    expect(await names(4, EACH)).toEqual(['deep']);
    expect(await names(4, EACH - 1)).toEqual([]);
    expect(await names(5, EACH)).toEqual([]);
  });

  it('stays what it was when its first entry was asked for, until that is asked for again', async () => {
    expect(await names(0, EACH)).toEqual(['.']);
    directory.add(new ServedFile('late', 9, 0o444));
    expect(await names(3, 4096)).toEqual(['eight...', 'deep']);
    expect(await names(0, 4096)).toContain('late');
  });
});
