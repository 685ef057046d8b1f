import { dir } from './dir.js';
import { MemoryClient } from './memory-client.js';
import { message } from './message.js';
import { mount } from './mount.js';
import { onlyFor } from './roles.js';
import { text } from './text.js';

describe('a row for one uname alone', () => {
  const heard: string[] = [];
  const table = dir({
    in: onlyFor(
      'boss',
      'a',
      message('', (_s, words) => void heard.push(words)),
    ),
    out: onlyFor(
      'boss',
      'a',
      text('', () => 'told\n'),
    ),
    free: text('', () => 'all\n'),
  });
  const root = mount(table, {});
  const boss = new MemoryClient(root, { uname: 'boss' });
  const other = new MemoryClient(root, { uname: 'Boss', role: 'user' });
  const call = { signal: new AbortController().signal, client: { role: 'user', uname: 'other', aname: '', tag: 't' } } as const;

  it('lets that one in as its kind does', async () => {
    await boss.write('in', 'words');
    expect([heard, await boss.read('out')]).toEqual([['words'], 'told\n']);
  });

  it('refuses everybody else, also the length of a file, and says what they are not', async () => {
    await expect(other.read('out')).rejects.toThrow('permission denied: not a boss');
    await expect(other.write('in', 'x')).rejects.toThrow('permission denied: not a boss');
    expect(() => root.walk('in')?.truncate(0, call)).toThrow('permission denied: not a boss');
    expect(await other.read('free')).toBe('all\n');
  });

  it('has no bits for others', () => {
    const modes = root.list().map(({ name, mode }) => `${name} ${mode.toString(8)}`);
    expect(modes).toEqual(['in 220', 'out 440', 'free 444']);
  });
});
