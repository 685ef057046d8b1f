import { describeKind } from '#testkit';
import { dir } from './dir.js';
import { FileDeniedError } from './errors.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';
import { remoteBytes } from './remote-bytes.js';

class Far {
  bytes = Buffer.from('far away\n');
  failure: Error | undefined;
  asked = 0;

  read(offset: number, count: number): Buffer {
    this.asked += 1;
    if (this.failure) throw this.failure;
    return this.bytes.subarray(offset, offset + count);
  }

  async length(signal: AbortSignal): Promise<number> {
    if (this.failure) throw this.failure;
    signal.throwIfAborted();
    return this.bytes.length;
  }
}

const row = remoteBytes<Far>('Output', {
  read: (far, { offset, count }) => far.read(offset, count),
  length: (far, signal) => far.length(signal),
});

describeKind<Far>('remote bytes', { row, subject: () => new Far(), mode: 0o444, content: 'far away\n', length: 'that of the content' });

describe('remote bytes', () => {
  const bench = () => {
    const far = new Far();
    return { far, client: new MemoryClient(mount(dir<Far>({ out: row }), far)) };
  };

  it('grow under the eyes of a reader, and stat says so', async () => {
    const { far, client } = bench();
    expect(await client.read('out')).toBe('far away\n');
    const before = await client.stat('out');
    far.bytes = Buffer.from('far away\nand more\n');
    const after = await client.stat('out');
    expect([before.length, after.length]).toEqual([9, 18]);
    expect(after.version).toBeGreaterThan(before.version);
    expect(await client.read('out')).toBe('far away\nand more\n');
  });

  it('fail to be read as their source fails; stat and listing tell what was known', async () => {
    const { far, client } = bench();
    await client.read('out');
    far.failure = new FileDeniedError('gone');
    await expect(client.read('out')).rejects.toThrow('permission denied: gone');
    expect((await client.stat('out')).length).toBe(9);
    expect(await client.ls('')).toEqual(['out']);
  });

  it('let a bug be a bug', async () => {
    const { far, client } = bench();
    far.failure = new TypeError('no such thing');
    await expect(client.stat('out')).rejects.toThrow('no such thing');
  });
});
