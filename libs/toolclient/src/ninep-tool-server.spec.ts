import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusyError, NotFoundError, type ToolRequest } from '#model';
import { Client, type AttachingUser, type AuthConversation } from '#ninep';
import { NinePStrategy } from '#transport-ninep';
import { ask, type Call, command, control, dir, dirOf, mount, text } from '#virtfs';
import { NinePToolServer } from './ninep-tool-server.js';

const NEVER = new AbortController().signal;
const REQUEST: ToolRequest = { id: 'call_1', tool: 'shell', arguments: { cmd: 'ls' }, cwd: '/p', env: {} };
const RESULT = { content: [{ type: 'text', text: 'ok' }], isError: false };

/** What the other side says; each test changes what it needs. */
class Scene {
  readonly asked: string[] = [];
  answer: (payload: string, call: Call) => string | Promise<string> = () => JSON.stringify(RESULT);
  tools = '[]';
  list = '7\trunning\tshell\n8\texited\tshell\n9\trunning\tshell\n';
  readonly stats = new Map([
    ['7', 'cmd=go test ./...\\nmore\nbackground=true\n'],
    ['8', 'cmd=ls\nbackground=false\n'],
  ]);
}

const namespace = dir<Scene>({
  ctl: control<Scene>(
    'tools',
    {
      load: command('load', (scene, line) => {
        scene.asked.push(`load ${line}`);
        if (line.endsWith('nothing')) throw Object.assign(new Error('no such tool: nothing'), { posix: 'ENOENT' });
      }),
      unload: command('unload', (scene, line) => void scene.asked.push(`unload ${line}`)),
    },
    { writeOnly: true },
  ),
  tools: ask('tools', (scene, agent) => (scene.asked.push(`tools ${agent}`), scene.tools)),
  tools_rev: ask('revision', () => '4\n'),
  all: text('all', () => '[]'),
  proc: dirOf<Scene, { readonly stat: string }>(
    {
      list: ask('list', (scene, agent) => (scene.asked.push(`list ${agent}`), scene.list), { unasked: (scene) => scene.list }),
      new: ask('new', (scene, payload, call) => (scene.asked.push(payload), scene.answer(payload, call))),
    },
    { label: '{pid}', entries: () => [], find: (scene, pid) => (scene.stats.has(pid) ? { stat: scene.stats.get(pid) ?? '' } : undefined) },
    dir<{ readonly stat: string }>({
      stat: text('stat', (process) => process.stat),
      out: text('out', () => 'some output\n'),
      ctl: control(
        'ctl',
        {
          term: command('term', ({ stat }) => {
            if (stat.startsWith('cmd=ls')) throw Object.assign(new Error('no such process: 8'), { posix: 'ENOENT' });
          }),
          dismiss: command('forget', () => {
            throw Object.assign(new Error('process is busy: still running'), { posix: 'EBUSY' });
          }),
        },
        { writeOnly: true },
      ),
    }),
  ),
});

describe('a tool server over 9P', () => {
  let folder: string;
  let scene: Scene;
  let door: NinePStrategy;
  let tools: NinePToolServer;
  const auth: string[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ollie-tc-'));
    scene = new Scene();
    const path = join(folder, 's');
    door = new NinePStrategy(mount(namespace, scene), { listen: [`unix!${path}`], attachName: 'name', authenticate });
    await new Promise<void>((resolve, reject) => door.listen((error) => (error === undefined ? resolve() : reject(error))));
    const client = await Client.dial({ address: { type: 'unix', path }, uname: 'agent', aname: 'a-1', secret: 'hush' });
    tools = new NinePToolServer(client, { agentId: 'a-1', sessionId: 's-1' });
  });
  afterEach(async () => {
    await tools.close();
    await door.close();
    rmSync(folder, { recursive: true });
    auth.length = 0;
  });

  function authenticate({ uname, aname }: AttachingUser): AuthConversation {
    let done = false;
    const write = (data: Uint8Array): void => {
      auth.push(`${uname} ${aname} ${Buffer.from(data).toString()}`);
      done = true;
    };
    return {
      write,
      read: (offset) => (offset === 0 ? Buffer.from('f00d\n') : new Uint8Array()),
      get done() {
        return done;
      },
    };
  }

  it('proves itself as agent, in the name of one', () => {
    expect(auth).toEqual(['agent a-1 hush']);
  });

  it('says whose tools it asks for, and loads and unloads', async () => {
    const tool = {
      name: 'shell',
      description: 'd',
      inputSchema: {},
      tier: 'hot',
      parallel: 'none',
      bypass: 'never',
      timeout: 1,
      background: false,
    };
    scene.tools = JSON.stringify([tool]);
    expect(await tools.loaded(NEVER)).toEqual([tool]);
    expect(await tools.revision(NEVER)).toBe(4);
    await tools.load('shell', NEVER);
    await tools.unload('shell', NEVER);
    expect(scene.asked).toEqual(['tools a-1\n', 'load a-1 shell', 'unload a-1 shell']);
    await expect(tools.load('nothing', NEVER)).rejects.toThrow(/^no such tool: nothing$/);
  });

  it('runs a call with the token that it was given', async () => {
    expect(await tools.call(REQUEST, NEVER)).toEqual(RESULT);
    expect(scene.asked).toEqual(['token=f00d\ntool=shell\nagent=a-1\nsession=s-1\ncall=call_1\ncwd=/p\nargs={"cmd":"ls"}\n']);
  });

  it('carries results of any size', async () => {
    const big = { content: [{ type: 'text', text: 'é'.repeat(1_500_000) }], isError: false } as const;
    scene.answer = () => JSON.stringify(big);
    expect(await tools.call({ ...REQUEST, arguments: { cmd: 'x'.repeat(2_000_000) } }, NEVER)).toEqual(big);
  });

  it('calls a call off on abort, and says cancelled once that is known to the other side', async () => {
    const stop = new AbortController();
    let aborted = false;
    scene.answer = (_payload, call) =>
      new Promise((resolve) => {
        call.signal.addEventListener('abort', () => {
          aborted = true;
          resolve('');
        });
        stop.abort();
      });
    expect(await tools.call(REQUEST, stop.signal)).toEqual({ content: [{ type: 'text', text: 'cancelled' }], isError: true });
    expect(aborted).toBe(true);
  });

  it('lists background processes with their commands, and leaves out what is waited for or gone', async () => {
    expect(await tools.processes(NEVER)).toEqual([{ pid: 7, state: 'running', tool: 'shell', command: 'go test ./...\nmore' }]);
    expect(scene.asked).toEqual(['list a-1\n']);
  });

  it('is busy while anything runs, for whomever', async () => {
    expect(await tools.isBusy(NEVER)).toBe(true);
    scene.list = '8\texited\tshell\n';
    expect(await tools.isBusy(NEVER)).toBe(false);
  });

  it('refuses an answer that breaks the contract', async () => {
    scene.answer = () => 'Segmentation fault';
    await expect(tools.call(REQUEST, NEVER)).rejects.toThrow(/^i\/o error: toolsrv: malformed answer: proc\/new: /);
  });

  it('tells the model when its arguments cannot be sent', async () => {
    scene.answer = () => {
      throw Object.assign(new Error('illegal argument: bad payload line 7'), { posix: 'EINVAL' });
    };
    const result = await tools.call(REQUEST, NEVER);
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^invalid arguments: .*line 7$/) }] });
  });

  it('passes on what the server complains about', async () => {
    scene.answer = () => {
      throw Object.assign(new Error('permission denied: bad token'), { posix: 'EACCES' });
    };
    await expect(tools.call(REQUEST, NEVER)).rejects.toThrow(/^i\/o error: toolsrv: permission denied: bad token$/);
  });

  it('says that the connection is lost, for what is under way and what comes later', async () => {
    scene.answer = () => new Promise(() => undefined);
    const call = tools.call(REQUEST, NEVER);
    const lost = Promise.allSettled([call]);
    while (scene.asked.length === 0) await tools.revision(NEVER);
    await door.close();
    expect(await lost).toMatchObject([{ reason: { message: 'i/o error: toolsrv: connection lost' } }]);
    await expect(tools.revision(NEVER)).rejects.toThrow(/^i\/o error: toolsrv: connection lost$/);
    expect(tools.isLost).toBe(true);
  });

  describe('a process by its number', () => {
    it('gives its output by ranges and its state as it stands', async () => {
      const process = await tools.process(7);
      const read = async (offset: number, count: number) => Buffer.from(await process.output({ offset, count }, NEVER)).toString();
      expect([await read(0, 4), await read(5, 100), await read(12, 100)]).toEqual(['some', 'output\n', '']);
      expect(await process.outputLength(NEVER)).toBe(12);
      expect(await process.stat(NEVER)).toBe('cmd=go test ./...\\nmore\nbackground=true\n');
    });

    it('is told to end, and says why it cannot be', async () => {
      await (await tools.process(7)).order('term', NEVER);
      await expect((await tools.process(8)).order('term', NEVER)).rejects.toThrow(new NotFoundError('process', '8'));
      await expect((await tools.process(7)).order('dismiss', NEVER)).rejects.toThrow(new BusyError('process is busy: still running'));
    });

    it('is not found once the server has forgotten it', async () => {
      const gone = await tools.process(99);
      for (const look of [
        gone.stat(NEVER),
        gone.output({ offset: 0, count: 1 }, NEVER),
        gone.outputLength(NEVER),
        gone.order('kill', NEVER),
      ])
        await expect(look).rejects.toThrow('no such process: 99');
    });

    it('is lost with the connection', async () => {
      const process = await tools.process(7);
      await tools.close();
      await tools.closed;
      await expect(process.stat(NEVER)).rejects.toThrow('i/o error: toolsrv: connection lost');
    });
  });
});
