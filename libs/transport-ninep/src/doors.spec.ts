import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, openMode, parseAddress } from '#ninep';
import { ask, command, control, data, DataBuffer, dir, dirOf, message, mount, openCommandTo, openTo, text } from '#virtfs';
import { guestDoor, secretDoor } from './doors.js';
import { NinePStrategy } from './ninep.strategy.js';

const SECRET = 'a long & winding secret';

class Thing {
  readonly plan = new DataBuffer(1024);
  readonly heard: string[] = [];
  readonly children = [{ name: 'one' }];
}

const namespace = dir<Thing>({
  who: text('Who calls', (_t, { client }) => `${client.role} ${client.uname} ${client.aname}\n`),
  all: text('All that rows know of who calls', (_t, { client }) => JSON.stringify(client)),
  prompt: openTo(
    ['guest'],
    message('Prompt', (thing, value) => void thing.heard.push(value)),
  ),
  plan: data('Plan', (thing) => thing.plan),
  new: ask('New', (_t, request) => request),
  ctl: control('Control', {
    stop: openCommandTo(
      ['guest'],
      command<Thing>('stop', (thing) => void thing.heard.push('stop')),
    ),
    kill: command<Thing>('kill', (thing) => void thing.heard.push('kill')),
  }),
  root: control('Server control', { kill: command<Thing>('kill', (thing) => void thing.heard.push('kill')) }),
  child: dirOf<Thing, { name: string }>(
    {},
    {
      label: '{child}',
      entries: (thing) => thing.children.map((child) => [child.name, child] as const),
      find: (thing, name) => thing.children.find((child) => child.name === name),
      remove: (thing) => void thing.children.pop(),
      rename: (_t, child, name) => void (child.name = name),
    },
    dir<{ name: string }>({}),
  ),
});

let folder: string;
let thing: Thing;
let strategy: NinePStrategy;
let traces: string[];
const clients: Client[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doors-'));
  [thing, traces] = [new Thing(), []];
  strategy = new NinePStrategy(mount(namespace, thing), {
    listen: [
      `unix!${join(folder, 's')}`,
      secretDoor('tcp!127.0.0.1!0', SECRET),
      secretDoor('tcp!127.0.0.1!0', 'plain'),
      guestDoor('tcp!127.0.0.1:0'),
    ],
    onTrace: (line) => traces.push(line),
  });
  await new Promise<void>((resolve, reject) => strategy.listen((error) => (error === undefined ? resolve() : reject(error))));
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await strategy.close();
  rmSync(folder, { recursive: true });
});

const USER = 0;
const SECRET_DOOR = 1;
const PLAIN_DOOR = 2;
const GUEST = 3;

async function dial(door: number, aname = '', secret?: string): Promise<Client> {
  const address = parseAddress(strategy.addresses[door] ?? '');
  const client = await Client.dial({ address, uname: 'glenda', aname, ...(secret !== undefined && { secret }) });
  clients.push(client);
  return client;
}

const who = async (client: Client): Promise<string> => Buffer.from(await client.readAll('who')).toString();

describe('a door with a secret', () => {
  it('is told with the port that it has got', () => {
    expect(strategy.addresses).toEqual([
      `unix!${folder}/s`,
      ...Array<unknown>(3).fill(expect.stringMatching(/^tcp!127\.0\.0\.1![1-9]\d+$/)),
    ]);
  });

  it('lets a user in who writes the secret to the auth fid', async () => {
    expect(await who(await dial(SECRET_DOOR, 'client=a', SECRET))).toBe('user glenda client=a\n');
    expect(await who(await dial(SECRET_DOOR, 'client=a', `${SECRET}\n`))).toBe('user glenda client=a\n');
  });

  it('lets a user in whose attach name has the key, and shows the key to nobody', async () => {
    expect(await who(await dial(PLAIN_DOOR, 'client=a&key=plain&wait=1s'))).toBe('user glenda client=a&wait=1s\n');
    expect(traces.join('\n')).toContain('attach "client=a&wait=1s"');
    expect(traces.join('\n')).not.toContain('plain');
    expect(Buffer.from(await (await dial(PLAIN_DOOR, 'key=plain')).readAll('all')).toString()).not.toContain('plain');
  });

  it('refuses a Tauth with the right key as not needed, which sends stock clients on to attach', async () => {
    await expect(dial(PLAIN_DOOR, 'key=plain', 'anything')).rejects.toThrow('permission denied: no auth required');
    await expect(dial(PLAIN_DOOR, 'key=plane', 'plain')).rejects.toThrow('permission denied: bad secret');
  });

  it.each([
    ['nothing', '', undefined, 'permission denied: authentication required'],
    ['a wrong secret', '', 'guess', 'permission denied: bad secret'],
    ['an empty secret', '', ' ', 'permission denied: bad secret'],
    ['the beginning of the secret', '', 'plai', 'permission denied: bad secret'],
    ['a wrong key', 'key=guess', undefined, 'permission denied: bad secret'],
    ['an empty key', 'key=', undefined, 'permission denied: bad secret'],
  ])('refuses %s', async (_what, aname, secret, message) => {
    await expect(dial(PLAIN_DOOR, aname, secret)).rejects.toMatchObject({ message, posix: 'EACCES' });
  });

  it('takes back what a right secret has proved when a wrong one follows', async () => {
    const conversation = await secretDoor('tcp!127.0.0.1!0', 'plain').authenticate?.({ uname: 'glenda', aname: '' });
    const write = (secret: string) => conversation?.write(Buffer.from(secret));
    expect(() => write('guess')).toThrow('bad secret');
    expect(conversation?.done).toBe(false);
    await write('plain');
    expect(conversation?.done).toBe(true);
    for (const wrong of ['plai', ' plain', '']) {
      await write('plain');
      expect(() => write(wrong)).toThrow('bad secret');
      expect({ wrong, done: conversation?.done }).toEqual({ wrong, done: false });
    }
  });

  it('leaves the own socket without one', async () => {
    expect(await who(await dial(USER))).toBe('user glenda \n');
    await expect(dial(USER, '', SECRET)).rejects.toThrow('permission denied: no auth required');
  });
});

describe('a guest', () => {
  let guest: Client;
  beforeEach(async () => {
    guest = await dial(GUEST, 'client=g');
  });

  it('reads, prompts and stops', async () => {
    expect(await who(guest)).toBe('guest glenda client=g\n');
    expect((await guest.list('')).map(({ name }) => name)).toContain('plan');
    expect(await guest.readAll('plan')).toHaveLength(0);
    await guest.wstat('prompt', { length: 0, mtime: 1 });
    await guest.writeAll('prompt', 'say hi');
    expect(Buffer.from(await guest.ask('ctl', 'stop\n')).toString()).toBe('ok\n');
    expect(Buffer.from(await guest.ask('ctl', 'help\n')).toString()).toContain('stop');
    expect(thing.heard).toEqual(['say hi', 'stop']);
  });

  it.each<[string, (client: Client) => Promise<unknown>]>([
    ['give another command', (client) => client.ask('ctl', 'kill\n')],
    ['give commands to the server', (client) => client.ask('root', 'kill\n')],
    ['make anything new', (client) => client.ask('new', 'name=x\n')],
    ['write anything new without reading', (client) => client.writeAll('new', 'name=x\n')],
    ['write data', (client) => client.writeAll('plan', 'mine')],
    ['truncate data at open', (client) => client.open('plan', openMode.read | openMode.truncate)],
    ['truncate data by wstat', (client) => client.wstat('plan', { length: 0 })],
    ['rename a directory', (client) => client.wstat('child/one', { name: 'two' })],
    ['remove a directory', (client) => client.remove('child/one')],
  ])('cannot %s', async (_deed, attempt) => {
    thing.plan.replace('kept', '');
    await expect(attempt(guest)).rejects.toThrow('permission denied');
    expect([thing.heard, thing.children, thing.plan.text]).toEqual([[], [{ name: 'one' }], 'kept']);
  });

  it('is told so even if it brings a secret', async () => {
    await expect(dial(GUEST, '', 'plain')).rejects.toThrow('permission denied: no auth required');
    expect(await who(await dial(GUEST, 'key=plain'))).toBe('guest glenda \n');
  });
});
