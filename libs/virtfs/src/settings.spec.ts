import { describeKind } from '#testkit';
import { dir } from './dir.js';
import { FileDeniedError } from './errors.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';
import { settings } from './settings.js';

const NEVER = { signal: new AbortController().signal };
const WRITE = { read: false, write: true, truncate: true };

class Box {
  readonly applied: (readonly string[])[] = [];
  value = 'a=1\n';

  async take(lines: readonly string[]): Promise<void> {
    await Promise.resolve();
    if (lines.some((line) => !line.includes('='))) throw new FileDeniedError('no pair');
    this.applied.push(lines);
    this.value = lines.map((line) => `${line}\n`).join('');
  }
}

const row = settings<Box>('Settings', { read: (box) => box.value, apply: (box, lines) => box.take(lines) });

describeKind<Box>('settings', {
  row,
  subject: () => new Box(),
  mode: 0o664,
  content: 'a=1\n',
  length: 'that of the content',
  effects: (box) => box.value,
});

describe('settings', () => {
  const bench = () => {
    const box = new Box();
    return { box, client: new MemoryClient(mount(dir<Box>({ cfg: row }), box), { uname: 'glenda' }) };
  };

  it('applies the lines of one write together before it returns', async () => {
    const { box, client } = bench();
    const handle = await client.open('cfg', WRITE);
    await handle.write(0, Buffer.from('a=2\n\nb=3\n'), NEVER);
    expect(box.applied).toEqual([['a=2', 'b=3']]);
    await handle.write(9, Buffer.from('c=4'), NEVER);
    expect(box.applied).toEqual([['a=2', 'b=3'], ['c=4']]);
    await handle.close('clunk');
    expect(box.applied).toHaveLength(2);
  });

  it('applies nothing of a write that is refused', async () => {
    const { box, client } = bench();
    await expect(client.write('cfg', 'a=2\nbad\n')).rejects.toThrow('permission denied: no pair');
    expect(await client.read('cfg')).toBe('a=1\n');
    expect(box.applied).toEqual([]);
  });

  it('waits for the rest of a line that a long write has cut', async () => {
    const { box, client } = bench();
    const handle = await client.open('cfg', WRITE);
    const long = `a=${'x'.repeat(5000)}`;
    await handle.write(0, Buffer.from(long), NEVER);
    expect(box.applied).toEqual([]);
    await handle.write(long.length, Buffer.from('y\n'), NEVER);
    expect(box.applied).toEqual([[`${long}y`]]);
  });

  it('shows the new settings behind what was written on the same handle', async () => {
    const { client } = bench();
    expect(await client.ask('cfg', 'z=9\n')).toBe('z=9\n');
    expect((await client.stat('cfg')).muid).toBe('glenda');
  });

  it('refuses a line of more than 64 KiB', async () => {
    const { box, client } = bench();
    await expect(client.write('cfg', `a=${'x'.repeat(70_000)}\n`)).rejects.toThrow('message too long');
    expect(box.applied).toEqual([]);
  });
});
