import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasDescriptor, processOf } from './descriptors.js';

describe('the descriptors of a process', () => {
  let folder: string;
  let open: number[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'descriptors-'));
    open = [];
  });
  afterEach(() => {
    open.forEach((descriptor) => closeSync(descriptor));
    rmSync(folder, { recursive: true });
  });

  /** Opens a file in a directory of its own. */
  function opened(directory: string, name: string): { readonly path: number; readonly name: string } {
    mkdirSync(join(folder, directory), { recursive: true });
    const descriptor = openSync(join(folder, directory, name), 'w');
    open.push(descriptor);
    return { path: fstatSync(descriptor).ino, name };
  }

  it('are of a file by its number and its name', () => {
    const file = opened('one', 'prompt');
    const other = opened('other', 'prompt');
    expect(hasDescriptor(process.pid, file)).toBe(true);
    expect(hasDescriptor(process.pid, { ...file, name: 'rompt' })).toBe(false);
    expect(hasDescriptor(process.pid, { ...file, path: Number(`${file.path}0`) })).toBe(false);
    closeSync(open.shift() ?? -1);
    expect([hasDescriptor(process.pid, file), hasDescriptor(process.pid, other)]).toEqual([false, true]);
  });

  it('are none of a process that has gone', () => {
    const { pid } = spawnSync('true');
    expect(hasDescriptor(pid, opened('one', 'prompt'))).toBe(false);
    expect(processOf(pid)).toBe(pid);
  });

  it('are of all its threads', () => {
    const threads = readdirSync('/proc/self/task').map(Number);
    expect(threads.length).toBeGreaterThan(1);
    expect(new Set(threads.map(processOf))).toEqual(new Set([process.pid]));
  });
});
