import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProcessOutputs } from './process-outputs.js';
import { snapshotDisk } from './snapshot-disk.js';

describe('outputs of processes', () => {
  let folder: string;
  let outputs: ProcessOutputs;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ollie-out-'));
    outputs = new ProcessOutputs(join(folder, 'a.out'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function* pieces(...texts: readonly (string | Error)[]): AsyncGenerator<Uint8Array, void, undefined> {
    for (const text of texts) {
      if (text instanceof Error) throw text;
      yield Buffer.from(text);
    }
  }
  async function* slowly(more: Promise<void>): AsyncGenerator<Uint8Array, void, undefined> {
    yield Buffer.from('x');
    await more;
    yield Buffer.from('y');
  }
  const slice = async (number: number, offset: number, count: number) =>
    Buffer.from(await outputs.slice(number, { offset, count })).toString();

  it('are read by ranges, for the owner alone', async () => {
    expect(await outputs.keep(7, pieces('abc', 'def'))).toBe(6);
    expect([await slice(7, 0, 100), await slice(7, 2, 2), await slice(7, 6, 9)]).toEqual(['abcdef', 'cd', '']);
    expect([statSync(join(folder, 'a.out')).mode & 0o777, statSync(join(folder, 'a.out/7')).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it('are kept whole or not at all', async () => {
    await expect(outputs.keep(7, pieces('abc', new Error('gone')))).rejects.toThrow('gone');
    expect(readdirSync(join(folder, 'a.out'))).toEqual([]);
    await expect(slice(7, 0, 1)).rejects.toThrow(/^i\/o error: .*ENOENT/);
  });

  it('outlive a loss of power under their names, of which the directory’s own is new only once', async () => {
    const steps: string[] = [];
    let fails = false;
    const syncDirectory = async (path: string): Promise<void> => {
      steps.push(`sync ${path.slice(folder.length)}: ${readdirSync(path).join()}`);
      if (fails) throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' });
    };
    const kept = new ProcessOutputs(join(folder, 'a.out'), { ...snapshotDisk, syncDirectory });
    fails = true;
    await expect(kept.keep(7, pieces('x'))).rejects.toThrow(/^i\/o error: .*fsync/);
    fails = false;
    for (const number of [7, 8]) await kept.keep(number, pieces('x'));
    expect(steps).toEqual(['sync /a.out: 7', 'sync /a.out: 7', 'sync : a.out', 'sync /a.out: 7,8']);
  });

  it('go with the processes that are forgotten', async () => {
    await outputs.keepOnly(new Set([1]));
    for (const number of [1, 2, 3]) await outputs.keep(number, pieces('x'));
    await outputs.keepOnly(new Set([1, 2, 3]));
    writeFileSync(join(folder, 'a.out/4.1-1.tmp'), 'left by a server that died');
    let release = (): void => undefined;
    const more = new Promise<void>((resolve) => (release = resolve));
    const writing = outputs.keep(5, slowly(more));
    await outputs.keepOnly(new Set([2]));
    release();
    await writing;
    expect(readdirSync(join(folder, 'a.out')).sort()).toEqual(['2', '5']);
  });

  it('stay that are whole, until somebody who knows of them lets them go', async () => {
    await outputs.keep(1, pieces('x'));
    await outputs.keepOnly(new Set([2]));
    expect(await slice(1, 0, 9)).toBe('x');
    await outputs.keepOnly(new Set([1]));
    await outputs.keepOnly(new Set());
    expect(readdirSync(join(folder, 'a.out'))).toEqual([]);
  });
});
