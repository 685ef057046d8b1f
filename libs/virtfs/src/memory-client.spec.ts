import { ask } from './ask.js';
import { dir } from './dir.js';
import { MemoryClient } from './memory-client.js';
import { message } from './message.js';
import { permits } from './modes.js';
import { mount } from './mount.js';
import { text } from './text.js';

const inbox: string[] = [];
const root = mount(
  dir<object>({
    id: text('Id', (_s, { client }) => `${client.uname}\n`),
    prompt: message('Prompt', (_s, value) => void inbox.push(value)),
    sub: dir<object>({ echo: ask('Echo', (_s, request) => request.toUpperCase()) }),
  }),
  {},
);

describe('MemoryClient', () => {
  const client = new MemoryClient(root, { uname: 'glenda' });

  it('lists, reads, writes, asks and stats by path', async () => {
    expect(await client.ls('')).toEqual(['id', 'prompt', 'sub']);
    expect(await client.ls('/sub/')).toEqual(['echo']);
    expect(await client.read('id')).toBe('glenda\n');
    await client.write('prompt', 'hello');
    expect(inbox).toEqual(['hello']);
    expect(await client.ask('sub/echo', 'abc')).toBe('ABC');
    expect((await client.stat('sub/../id')).name).toBe('id');
  });

  it('says what is missing, denied or a directory, as every door does', async () => {
    await expect(client.read('nothing')).rejects.toThrow('file does not exist');
    await expect(client.read('id/x')).rejects.toThrow('not a directory');
    await expect(client.read('sub')).rejects.toThrow('is a directory');
    await expect(client.read('prompt')).rejects.toThrow('permission denied');
    await expect(client.write('id', 'x')).rejects.toThrow('permission denied');
  });

  it('has a tag of its own for each client', async () => {
    const tags = mount(dir<object>({ tag: text('Tag', (_s, call) => call.client.tag) }), {});
    const [one, other] = await Promise.all([new MemoryClient(tags).read('tag'), new MemoryClient(tags).read('tag')]);
    expect(one).not.toBe(other);
  });
});

describe('permits', () => {
  it('counts the bits of owner and group, never those of others', () => {
    const read = { read: true, write: false, truncate: false };
    const write = { read: false, write: true, truncate: false };
    expect([0o444, 0o400, 0o040, 0o004, 0o220].map((mode) => permits(mode, read))).toEqual([true, true, true, false, false]);
    expect([0o220, 0o660, 0o444, 0o002].map((mode) => permits(mode, write))).toEqual([true, true, false, false]);
    expect(permits(0o444, { ...read, truncate: true })).toBe(false);
    expect(permits(0o664, { read: true, write: true, truncate: true })).toBe(true);
  });
});
