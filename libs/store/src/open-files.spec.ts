import { fstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenFiles } from './open-files.js';

describe('open files', () => {
  let folder: string;
  let files: OpenFiles;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ollie-open-'));
    files = new OpenFiles();
  });
  afterEach(() => {
    files.closeAll();
    rmSync(folder, { recursive: true });
  });

  it('are the same as long as they are used, and at most 512', () => {
    const before = readdirSync('/proc/self/fd').length;
    const first = files.writable(join(folder, 'f0'));
    expect(files.readable(join(folder, 'f0'))).toBe(first);
    for (let number = 1; number <= 600; number += 1) files.writable(join(folder, `f${String(number)}`));
    expect(readdirSync('/proc/self/fd').length - before).toBeLessThanOrEqual(512);
    expect(fstatSync(files.writable(join(folder, 'f0'))).isFile()).toBe(true);
  });

  it('are closed when they were unused for longest, if there are too many', async () => {
    const used = files.writable(join(folder, 'used'));
    const unused = files.writable(join(folder, 'unused'));
    const pause = () => new Promise((resolve) => setTimeout(resolve, 3));
    await pause();
    for (let number = 1; number <= 510; number += 1) files.writable(join(folder, `f${String(number)}`));
    await pause();
    files.writable(join(folder, 'used'));
    files.writable(join(folder, 'one more'));
    expect(files.writable(join(folder, 'used'))).toBe(used);
    expect(() => fstatSync(unused)).toThrow('EBADF');
  });

  it('are closed when they rest', async () => {
    const fd = files.writable(join(folder, 'f'));
    await new Promise((resolve) => setTimeout(resolve, 4500));
    expect(() => fstatSync(fd)).toThrow('EBADF');
  });

  it('are not made by a reader', () => {
    expect(files.readable(join(folder, 'none'))).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });
});
