import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { Client, NinepError, openMode, parseAddress, type AuthConversation } from '#ninep';
import {
  ask,
  ByteLog,
  command,
  control,
  data,
  DataBuffer,
  dir,
  dirOf,
  FileError,
  message,
  mount,
  stream,
  text,
  ValueCell,
  wait,
  type Children,
} from '#virtfs';
import { NinePStrategy } from './ninep.strategy.js';
import type { NinePOptions } from './options.js';

class Robot {
  readonly state = new ValueCell('idle');
  readonly chat = new ByteLog();
  readonly plan = new DataBuffer(1024);
  readonly prompts: string[] = [];
  constructor(public name: string) {}
}

class Fleet {
  readonly robots = [new Robot('r2'), new Robot('c3')];
}

const robots: Children<Fleet, Robot> = {
  label: '{robot}',
  entries: (fleet) => fleet.robots.map((robot) => [robot.name, robot] as const),
  find: (fleet, name) => fleet.robots.find((robot) => robot.name === name),
  rename: (_fleet, robot, name) => {
    if (name === 'bad') throw new FileError('illegal name: bad', 'EINVAL');
    robot.name = name;
  },
  remove: (fleet, robot) => void fleet.robots.splice(fleet.robots.indexOf(robot), 1),
};

const robotDirectory = dir<Robot>({
  prompt: message('Prompt', (r, value, { client }) => {
    r.prompts.push(value);
    r.state.set('running');
    r.state.markSeen(client);
  }),
  statewait: wait('State', (r) => r.state),
  chat: stream('Chat', (r) => r.chat),
  plan: data('Plan', (r) => r.plan),
  ctl: control('Control', { stop: command('Stop', (r) => r.state.set('idle')) }),
});

const namespace = dir<Fleet>({
  who: text('Who calls', (_f, { client }) => `${client.uname}|${client.aname}|${client.tag}|${client.leader ?? ''}\n`),
  crash: ask('A bug', () => {
    throw new TypeError('a bug');
  }),
  echo: ask('Echo', (_f, request) => request.toUpperCase()),
  robot: dirOf({}, robots, robotDirectory),
});

let folder: string;
const closing: (() => Promise<void> | void)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'transport-ninep-'));
});

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true });
});

const socket = () => join(folder, 'ollie');

/** What `listen` called back with: nothing, or the error. */
function listening(strategy: NinePStrategy): Promise<unknown> {
  return new Promise((resolve) => {
    strategy.listen(resolve);
  });
}

async function serve(options: Partial<NinePOptions> = {}) {
  const fleet = new Fleet();
  const strategy = new NinePStrategy(mount(namespace, fleet), { listen: [`unix!${socket()}`], owner: 'server', ...options });
  closing.push(() => strategy.close());
  expect(await listening(strategy)).toBeUndefined();
  return { fleet, strategy, robot: fleet.robots[0] ?? new Robot('none') };
}

async function dial(aname = '', options: { readonly uname?: string; readonly secret?: string } = {}) {
  const client = await Client.dial({ address: parseAddress(socket()), uname: 'glenda', aname, ...options });
  closing.push(() => client.close());
  return client;
}

const read = async (client: Client, path: string) => Buffer.from(await client.readAll(path)).toString();
const put = (client: Client, path: string, content: string) => client.writeAll(path, content);

describe('NinePStrategy', () => {
  it('serves lists, reads, writes and answers of a mounted tree', async () => {
    const { robot } = await serve();
    const client = await dial();
    expect((await client.list('')).map(({ name }) => name)).toEqual(['who', 'crash', 'echo', 'robot']);
    expect((await client.list('robot')).map(({ name }) => name)).toEqual(['r2', 'c3']);
    await put(client, 'robot/r2/prompt', 'hello\n');
    expect(robot.prompts).toEqual(['hello\n']);
    expect(Buffer.from(await client.ask('echo', 'abc')).toString()).toBe('ABC');
    await put(client, 'robot/r2/plan', '- [ ] x\n');
    expect(await read(client, 'robot/r2/plan')).toBe('- [ ] x\n');
  });

  it('tells 9P stats: owner, group, last writer, directory bit, stable qid, growing version', async () => {
    const { robot } = await serve();
    const client = await dial();
    robot.plan.replace('old', '');
    const before = await client.stat('robot/r2/plan');
    expect(before).toMatchObject({ name: 'plan', uid: 'server', gid: 'agent', muid: 'server', mode: 0o664, length: 3, qid: { type: 0 } });
    await put(client, 'robot/r2/plan', 'newer');
    const after = await client.stat('robot/r2/plan');
    expect(after).toMatchObject({ muid: 'glenda', length: 5 });
    expect(after.qid.path).toBe(before.qid.path);
    expect(after.qid.version).toBeGreaterThan(before.qid.version);
    expect(await client.stat('robot')).toMatchObject({ mode: 0x80000000 + 0o555, qid: { type: 0x80 }, length: 0 });
    expect((await client.stat('')).name).toBe('/');
  });

  it('checks mode bits at open, whoever calls', async () => {
    await serve();
    for (const uname of ['glenda', 'nobody', 'server']) {
      const client = await dial('', { uname });
      await expect(client.open('who', openMode.write)).rejects.toThrow('permission denied');
      await expect(client.open('robot/r2/prompt', openMode.read)).rejects.toThrow('permission denied');
      await expect(client.open('who', openMode.execute)).rejects.toThrow('permission denied');
      await expect(client.open('who', openMode.removeOnClose)).rejects.toThrow('permission denied');
      await expect(client.open('robot', openMode.write)).rejects.toThrow('is a directory');
    }
  });

  it('gives a client its identity from the attach name, else from its connection', async () => {
    await serve();
    expect(await read(await dial('client=5.6.7'), 'who')).toBe('glenda|client=5.6.7|5.6.7|5\n');
    const [one, other] = [await read(await dial(), 'who'), await read(await dial(), 'who')];
    expect(one).toMatch(/^glenda\|\|connection \d+\|\n$/);
    expect(one).not.toBe(other);
    await expect(dial('client=a&bogus=1')).rejects.toThrow('illegal argument: bogus=1');
  });

  it('takes the front of the attach name for a name where the server wants one', async () => {
    await serve({ attachName: 'name' });
    expect(await read(await dial('17-a&client=5.6.7'), 'who')).toBe('glenda|17-a|5.6.7|5\n');
  });

  it('lets a fast turn be seen by a sibling of the shell that wrote the prompt', async () => {
    const { robot } = await serve();
    await put(await dial('client=5.6.7'), 'robot/r2/prompt', 'hi');
    robot.state.set('idle');
    expect(await read(await dial('client=5.8.9'), 'robot/r2/statewait')).toBe('idle\n');
  });

  it('ends a blocked read when it is flushed, and serves the connection on', async () => {
    await serve();
    const client = await dial();
    const stop = new AbortController();
    const blocked = client.readAll('robot/r2/statewait', stop.signal);
    const other = await read(client, 'who');
    stop.abort(new Error('enough'));
    await expect(blocked).rejects.toThrow('enough');
    expect(other).toContain('glenda');
    expect(await read(client, 'who')).toBe(other);
  });

  it('ends a blocked read after the time of the attach name, else of the server', async () => {
    await serve({ waitMs: 20 });
    expect(await read(await dial('wait=10ms'), 'robot/r2/statewait')).toBe('idle\n');
    expect(await read(await dial(), 'robot/r2/statewait')).toBe('idle\n');
  });

  it('streams a log until it is released', async () => {
    const { robot } = await serve();
    robot.chat.hold();
    const chat = read(await dial(), 'robot/r2/chat');
    robot.chat.append('one ');
    await new Promise((resolve) => setTimeout(resolve, 20));
    robot.chat.append('two\n');
    robot.chat.release();
    expect(await chat).toBe('one two\n');
  });

  it('commits a message of a client that hangs up without a clunk', async () => {
    const { robot } = await serve();
    const client = await dial();
    const file = await client.open('robot/r2/prompt', openMode.write);
    await file.write(0, Buffer.from('from ixpc'));
    client.close();
    await robot.state.until((state) => state === 'running', new AbortController().signal);
    expect(robot.prompts).toEqual(['from ixpc']);
  });

  it('sends the errors of rows as they are, and reports bugs', async () => {
    const bugs: unknown[] = [];
    await serve({ onBug: (error) => bugs.push(error) });
    const client = await dial();
    await expect(put(client, 'robot/r2/ctl', 'bogus')).rejects.toThrow('illegal command: bogus');
    await expect(read(client, 'nothing')).rejects.toThrow('file does not exist');
    expect(bugs).toEqual([]);
    await expect(client.ask('crash', 'x')).rejects.toThrow('i/o error');
    expect(bugs).toEqual([new TypeError('a bug')]);
  });

  it('hears of each attach, open and close', async () => {
    const lines: string[] = [];
    await serve({ onTrace: (line) => lines.push(line) });
    await read(await dial('client=5.6.7'), 'who');
    expect(lines).toEqual(['glenda 5.6.7: attach "client=5.6.7"', 'glenda 5.6.7: /who: open mode=0', 'glenda 5.6.7: /who: clunk']);
  });
});

describe('Twstat and Tremove', () => {
  it('set the length of data, do nothing on other writable files, and are denied elsewhere', async () => {
    const { robot } = await serve();
    const client = await dial();
    robot.plan.replace('content', '');
    await client.wstat('robot/r2/plan', { length: 3, mtime: 1 });
    expect(robot.plan.text).toBe('con');
    await client.wstat('robot/r2/ctl', { length: 0 });
    await client.wstat('robot/r2/prompt', { length: 0, mtime: 5, atime: 5 });
    await expect(client.wstat('who', { length: 0 })).rejects.toThrow('permission denied');
    await expect(client.wstat('robot', { length: 1 })).rejects.toThrow('is a directory');
    await expect(client.wstat('robot/r2/ctl', { length: 1 })).rejects.toThrow('permission denied');
  });

  it('change no modes, groups and file names, nor a part of a change', async () => {
    const { robot } = await serve();
    const client = await dial();
    robot.plan.replace('content', '');
    await expect(client.wstat('robot/r2/plan', { length: 0, mode: 0o600 })).rejects.toThrow('permission denied');
    await expect(client.wstat('robot/r2/plan', { length: 0, name: 'other' })).rejects.toThrow('permission denied');
    await expect(client.wstat('robot/r2/plan', { length: 0, gid: 'wheel' })).rejects.toThrow('permission denied');
    await expect(client.wstat('robot/r2', { length: 1, name: 'other' })).rejects.toThrow('is a directory');
    expect([robot.plan.text, robot.name]).toEqual(['content', 'r2']);
  });

  it('rename a directory that can be renamed, whose open files stay what they are', async () => {
    const { robot } = await serve();
    const client = await dial();
    const { qid } = await client.stat('robot/r2/plan');
    await client.wstat('robot/r2', { name: 'd2' });
    expect(robot.name).toBe('d2');
    expect((await client.stat('robot/d2/plan')).qid.path).toBe(qid.path);
    await expect(client.wstat('robot/d2', { name: 'bad' })).rejects.toThrow('illegal name: bad');
    await expect(client.wstat('robot', { name: 'robots' })).rejects.toThrow('permission denied');
  });

  it('remove a directory that can be removed, and no file', async () => {
    const { fleet } = await serve();
    const client = await dial();
    await expect(client.remove('robot/r2/plan')).rejects.toThrow('permission denied');
    await expect(client.remove('robot')).rejects.toThrow('permission denied');
    await client.remove('robot/r2');
    expect(fleet.robots.map(({ name }) => name)).toEqual(['c3']);
  });
});

describe('who may attach', () => {
  it('is everybody without Tauth by default', async () => {
    await serve();
    await expect(dial('', { secret: 'x' })).rejects.toThrow('permission denied: no auth required');
  });

  it('is decided by the hooks where there are some', async () => {
    const conversation = (): AuthConversation => {
      let said = '';
      return {
        write: (bytes) => {
          said = Buffer.from(bytes).toString();
          if (said !== 'secret') throw new NinepError('permission denied: bad secret', 'EACCES');
        },
        read: (offset) => Buffer.from('token\n').subarray(offset),
        get done() {
          return said === 'secret';
        },
      };
    };
    await serve({
      authenticate: conversation,
      authorize: ({ auth }) => {
        if (!auth) throw new NinepError('permission denied: authentication required', 'EACCES');
      },
    });
    await expect(dial()).rejects.toThrow('permission denied: authentication required');
    await expect(dial('', { secret: 'wrong' })).rejects.toThrow('permission denied: bad secret');
    const client = await dial('', { secret: 'secret' });
    expect(client.authAnswer).toBe('token');
    expect(await read(client, 'who')).toContain('glenda');
  });
});

describe('a client that comes through another door of the process', () => {
  const readWho = async (strategy: NinePStrategy, tag?: string) => {
    const file = await (await (await strategy.attach(tag)).walk('who'))?.open(openMode.read);
    return Buffer.from((await file?.read(0, 100, new AbortController())) ?? '').toString();
  };

  it('is the user himself, by his tag, and is asked for nothing', async () => {
    const refuse = () => {
      throw new NinepError('permission denied', 'EACCES');
    };
    for (const attachName of ['options', 'name'] as const) {
      const { strategy } = await serve({ attachName, authorize: refuse });
      expect(await readWho(strategy, '5.6.7')).toMatch(new RegExp(`^${userInfo().username}\\|.*\\|5\\.6\\.7\\|5\n$`));
      expect(await readWho(strategy)).toBe(`${userInfo().username}||connection 0|\n`);
      await expect(dial()).rejects.toThrow('permission denied');
      await strategy.close();
    }
  });
});

describe('the life of a listener', () => {
  it('keeps to the limits that it is given', async () => {
    await serve({ limits: { maxFidsPerConnection: 1 } });
    await expect((await dial()).stat('who')).rejects.toThrow('too many fids');
  });

  it('binds every address or none', async () => {
    const strategy = new NinePStrategy(mount(namespace, new Fleet()), { listen: [`unix!${socket()}`, 'unix!/nonexistent/folder/socket'] });
    expect(await listening(strategy)).toHaveProperty('message', expect.stringContaining('/nonexistent/folder'));
    await expect(dial()).rejects.toThrow('i/o error');
    const nowhere = new NinePStrategy(mount(namespace, new Fleet()), { listen: [] });
    expect(await listening(nowhere)).toHaveProperty('message', expect.stringContaining('no address'));
  });

  it('listens on several addresses, on sockets that only the user can open', async () => {
    await serve({ listen: [`unix!${socket()}`, `unix!${socket()}2`] });
    expect(statSync(`${socket()}2`).mode & 0o777).toBe(0o600);
    expect(await read(await dial(), 'who')).toContain('glenda');
  });

  it('tells how many clients are connected', async () => {
    const { strategy } = await serve();
    const counts: number[] = [];
    const gone = new Promise<void>((resolve) => {
      strategy.onConnections((count) => {
        counts.push(count);
        if (count === 0) resolve();
      });
    });
    const client = await dial();
    expect(strategy.connections).toBe(1);
    client.close();
    await gone;
    expect(counts).toEqual([1, 0]);
  });

  it('is a transport of Nest, built from its container', async () => {
    class Greeting {
      readonly text = 'hello from the container\n';
    }
    @Module({ providers: [Greeting] })
    class GreetingModule {}
    const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(GreetingModule, {
      inject: [Greeting],
      useFactory: (greeting: Greeting) => ({
        strategy: new NinePStrategy(mount(dir<Greeting>({ greeting: text('Greeting', (g) => g.text) }), greeting), {
          listen: [`unix!${socket()}`],
        }),
      }),
      logger: false,
    });
    await app.listen();
    const client = await dial();
    expect(await read(client, 'greeting')).toBe('hello from the container\n');
    const blocked = client.closed;
    await app.close();
    await blocked;
    expect(existsSync(socket())).toBe(false);
  });
});
