import { command, openCommandTo } from './command.js';
import { control } from './control.js';
import { dir, dirOf } from './dir.js';
import { MemoryClient } from './memory-client.js';
import { message } from './message.js';
import { mount } from './mount.js';
import { onlyFor, openTo, reservedFor } from './roles.js';
import { text } from './text.js';
import type { Grant } from './types.js';

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

describe('what is open to a role on a condition', () => {
  class Desk {
    readonly heard: string[] = [];
    constructor(readonly owner: string) {}
  }
  const own: Grant<Desk> = { role: 'agent', when: (desk, { uname }) => desk.owner === uname };
  const [mine, yours] = [new Desk('me'), new Desk('you')];
  const each = dir<Desk>({
    in: openTo(
      ['guest', own],
      message('', (desk, words) => void desk.heard.push(words)),
    ),
    ctl: control('', {
      say: openCommandTo(
        [own],
        command<Desk>('', () => 'said'),
      ),
      end: command<Desk>('', () => 'ended'),
    }),
    secret: reservedFor(
      [own],
      text('', () => 'secret\n'),
    ),
    drawer: reservedFor([own], dir<Desk>({ file: text('', () => 'file\n') })),
  });
  const desks = new Map(Object.entries({ mine, yours }));
  const root = mount(dirOf<object, Desk>({}, { label: '{desk}', entries: () => desks, find: (_all, name) => desks.get(name) }, each), {});
  const me = new MemoryClient(root, { role: 'agent', uname: 'me' });
  const guest = new MemoryClient(root, { role: 'guest', uname: 'me' });
  const user = new MemoryClient(root, { uname: 'anybody' });

  it('may be written by those for whom it holds, and by the roles that are named', async () => {
    await me.write('mine/in', 'a');
    await expect(me.write('yours/in', 'b')).rejects.toThrow('permission denied');
    await guest.write('yours/in', 'c');
    await user.write('yours/in', 'd');
    expect([mine.heard, yours.heard]).toEqual([['a'], ['c', 'd']]);
  });

  it('may be commanded likewise, each command by itself', async () => {
    expect(await me.ask('mine/ctl', 'say\n')).toBe('said\n');
    await expect(me.ask('mine/ctl', 'end\n')).rejects.toThrow('permission denied');
    await expect(me.ask('yours/ctl', 'say\n')).rejects.toThrow('permission denied');
    await expect(guest.ask('mine/ctl', 'say\n')).rejects.toThrow('permission denied');
    expect(await user.ask('yours/ctl', 'end\n')).toBe('ended\n');
  });

  it.each(['secret', 'drawer/file'])('may be closed to all others: %s', async (path) => {
    expect(await me.read(`mine/${path}`)).toMatch(/\n$/);
    expect(await user.read(`yours/${path}`)).toMatch(/\n$/);
    await expect(me.read(`yours/${path}`)).rejects.toThrow('permission denied');
    await expect(guest.read(`mine/${path}`)).rejects.toThrow('permission denied');
  });
});
