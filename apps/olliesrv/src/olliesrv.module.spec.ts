import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Test, type TestingModule } from '@nestjs/testing';
import { Paths, silentLog } from '#config';
import { BackendCatalog, textResult, ToolHostFactory } from '#model';
import { FakeBackend, FakeBackendCatalog, fakeCall, FakeToolHostFactory, type FakeAnswer } from '#testkit';
import { type Client, MemoryClient, mount } from '#virtfs';
import { generate } from './generate.js';
import { olliesrvNamespace } from './namespace/root.js';
import { OlliesrvModule } from './olliesrv.module.js';
import { OlliesrvServices } from './olliesrv-services.js';
import { ServerControl } from './server-control.js';

/** Everything of the server but its door, with a scripted model and hands that are no processes. */
describe('the server without socket and process', () => {
  let home: string;
  let module: TestingModule;
  let backend: FakeBackend;
  let ollie: MemoryClient;

  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-module-')));
  });
  afterEach(async () => {
    await module.get(OlliesrvServices).sessions.close();
    await module.close();
    rmSync(home, { recursive: true });
  });

  async function start(...answers: readonly FakeAnswer[]): Promise<void> {
    backend = new FakeBackend(answers);
    const hands = new FakeToolHostFactory({
      ...FILE_TOOLS,
      shell: { info: { description: 'Run a command\nin a shell. Output is cut.' }, run: () => textResult('a.txt\n') },
    });
    const environment = { HOME: home, OLLIE_OPENAI_KEY: 'secret', OLLIE: '/mnt/ollie' };
    const options = { paths: Paths.from(environment), environment, cwd: home, log: silentLog };
    module = await Test.createTestingModule({ imports: [OlliesrvModule.forRoot(options)] })
      .overrideProvider(BackendCatalog)
      .useValue(new FakeBackendCatalog(backend))
      .overrideProvider(ToolHostFactory)
      .useValue(hands)
      .compile();
    ollie = new MemoryClient(mount(olliesrvNamespace, module.get(OlliesrvServices)));
  }

  async function startAgent(...answers: readonly FakeAnswer[]): Promise<string> {
    await start(...answers);
    await ollie.write('session/new', 'name=myproj\n');
    await ollie.write('session/myproj/agent/new', 'name=coding\n');
    return 'session/myproj/agent/coding';
  }

  it('answers at the root', async () => {
    await start();
    expect(await ollie.read('backends')).toBe('fake\n');
    expect(await ollie.read('models')).toBe('fake\tfake-1\n');
    expect(await ollie.read('agents')).toMatch(/^default\n/);
    expect(await ollie.read('tools')).toBe(
      [
        'client_9p   The tool client_9p',
        'file_edit   The tool file_edit',
        'file_read   The tool file_read',
        'file_write  The tool file_write',
        'shell       Run a command in a shell.',
        '',
      ].join('\n'),
    );
    expect(await ollie.read('aliases')).toBe('');
    expect(await ollie.read('session/idx')).toBe('');
  });

  it('names every path in its help', async () => {
    await start();
    const help = await ollie.read('help');
    for (const name of ['backends', 'generate', '{session}', '{agent}', 'chat.raw', 'statewait', 'top', 'stop', 'invalidate'])
      expect(help).toContain(name);
  });

  it('makes a session and an agent, runs a turn and streams the answer', async () => {
    const agent = await startAgent({ calls: [fakeCall('c1', 'shell', { cmd: 'ls' })] }, { text: ['There is ', 'a.txt.'] });
    await ollie.write(`${agent}/prompt`, 'what is here?\n');
    expect(await ollie.read(`${agent}/chat`)).toBe('user: what is here?\n-> shell({"cmd":"ls"})\n<- shell 1 lines\nThere is a.txt.\n');
    expect(await ollie.read(`${agent}/log`)).toBe(await ollie.read(`${agent}/chat`));
    const raw = await ollie.read(`${agent}/chat.raw`);
    expect(raw).toContain('[[[call id=');
    expect(Math.abs(Number(/^\[\[\[user id=\d+ ts=(\d+)\]\]\]$/m.exec(raw)?.[1]) - Date.now())).toBeLessThan(60_000);
    expect(await ollie.read(`${agent}/stats`)).toContain('turns=1\n');
  });

  it('tells the state as decided: idle at once after a prompt, then blocking', async () => {
    const agent = await startAgent({ text: 'done' });
    await ollie.write(`${agent}/prompt`, 'x\n');
    await ollie.read(`${agent}/chat`);
    expect(await ollie.read(`${agent}/statewait`)).toBe('idle\n');
    await expect(ollie.read(`${agent}/statewait`, AbortSignal.timeout(50))).rejects.toThrow('interrupted');
  });

  it('stops a turn, and answers idle when nothing runs', async () => {
    const agent = await startAgent({ hangs: true });
    await ollie.write(`${agent}/prompt`, 'x\n');
    expect(await ollie.ask(`${agent}/ctl`, 'stop\n')).toBe('ok\n');
    expect(await ollie.ask(`${agent}/ctl`, 'stop\n')).toBe('idle\n');
    expect(backend.active).toBe(0);
  });

  it('lists the loaded tools of an agent', async () => {
    const agent = await startAgent();
    expect(await ollie.ask(`${agent}/ctl`, 'tools\n')).toMatch(
      /^client_9p\thot\tThe tool client_9p\nshell\thot\tRun a command in a shell\.\n$/,
    );
    expect(await ollie.read(`${agent}/proc/top`)).toBe('PID TOOL CMD\n');
  });

  it('keeps a plan as it was written', async () => {
    const agent = await startAgent();
    await ollie.write(`${agent}/plan`, '- [ ] one\n- [x] two');
    expect(await ollie.read(`${agent}/plan`)).toBe('- [ ] one\n- [x] two');
  });

  it('removes an agent by ctl, and by removal of its directory', async () => {
    const agent = await startAgent();
    await ollie.ask(`${agent}/ctl`, 'kill\n');
    await setImmediate();
    expect(await ollie.ls('session/myproj/agent')).toEqual(['new', 'idx']);
    await ollie.write('session/myproj/agent/new', 'name=again\n');
    await ollie.node('session/myproj/agent/again').remove({ signal: new AbortController().signal, client: CALLER });
    expect(await ollie.ls('session/myproj/agent')).toEqual(['new', 'idx']);
  });

  it('removes a session by ctl, and by removal of its directory', async () => {
    await start();
    for (const name of ['a', 'b']) await ollie.write('session/new', `name=${name}\n`);
    expect(await ollie.ask('session/a/ctl', 'kill\n')).toBe('ok\n');
    await ollie.node('session/b').remove({ signal: new AbortController().signal, client: CALLER });
    expect(await ollie.ls('session')).toEqual(['new', 'idx']);
  });

  it('walks ids and the short name of session, and lists neither', async () => {
    const agent = await startAgent();
    const [sessionId, agentId] = [await ollie.read('session/myproj/id'), await ollie.read(`${agent}/id`)].map((id) => id.trim());
    for (const id of [sessionId, agentId]) expect(id).toMatch(/^[0-9]{19}-[0-9a-f]{6}$/);
    expect(await ollie.read(`s/${sessionId}/agent/${agentId}/name`)).toBe('coding\n');
    expect(await ollie.ls('/')).not.toContain('s');
    expect(await ollie.ls('session')).toEqual(['new', 'idx', 'myproj']);
  });

  it('gives sessions the directory, the home and the variables of the server', async () => {
    const agent = await startAgent();
    expect(await ollie.read(`${agent}/cfg`)).toContain(`\ncwd=${home}\n`);
    mkdirSync(join(home, 'sub'));
    await ollie.write('session/myproj/agent/new', 'name=other cwd=~/sub\n');
    expect(await ollie.read('session/myproj/agent/other/cfg')).toContain(`\ncwd=${home}/sub\n`);
    expect(await ollie.read('session/myproj/env')).toMatch(/^OLLIE=\/mnt\/ollie\nOLLIE_SESSION=myproj\nOLLIE_SESSION_ID=.*\n$/);
  });

  it('runs a sub-agent while its asker waits', async () => {
    await start({ text: 'hi' });
    await ollie.write('session/new', 'name=s\n');
    expect(await ollie.ask('session/s/agent/new', `cwd=${home}\nprompt=say hi\n`)).toBe('hi');
    expect(await ollie.ls('session/s/agent')).toEqual(['new', 'idx']);
  });

  it('lets a sub-agent run on when its writer does not read', async () => {
    await start({ text: 'hi' });
    await ollie.write('session/new', 'name=s\n');
    await ollie.write('session/s/agent/new', 'name=sub prompt=say hi\n');
    const { state } = module.get(OlliesrvServices).sessions.find('s')?.agents.find('sub') ?? { state: undefined };
    expect(state?.value).toBe('running');
    await state?.until((value) => value === 'killed', AbortSignal.timeout(5_000));
    expect(await ollie.ls('session/s/agent')).toEqual(['new', 'idx']);
  });

  it('refuses bad requests with the words of the contract', async () => {
    await start();
    await ollie.write('session/new', 'name=s\n');
    await expect(ollie.write('session/new', 'name=s\n')).rejects.toThrow('session already exists: s');
    await expect(ollie.write('session/new', 'colour=red\n')).rejects.toThrow('illegal key: colour');
    await expect(ollie.write('session/s/agent/new', 'cwd=/no/such\n')).rejects.toThrow('no such directory: /no/such');
    await expect(ollie.write('session/s/agent/new', 'name=new\n')).rejects.toThrow('illegal name: new');
    await expect(ollie.write('ctl', 'x\n')).rejects.toThrow('illegal command: x');
    await expect(ollie.read('nothing')).rejects.toThrow('file does not exist');
    await expect(ollie.write('session/s/id', 'x')).rejects.toThrow('permission denied');
  });

  it.each(['session/new', 'session/s/agent/new'])('refuses an unknown key of %s as soon as its line is there', async (path) => {
    await start();
    await ollie.write('session/new', 'name=s\n');
    const file = await ollie.open(path, { read: true, write: true, truncate: false });
    await expect(file.write(0, Buffer.from('colour=red\n'), { signal: new AbortController().signal })).rejects.toThrow(
      'illegal key: colour',
    );
    await file.close('hangup');
  });

  it.each([
    ['backend=nope\n', 'no such backend: nope'],
    ['name=a backend=nope model=m\n', 'no such backend: nope'],
    ['name=a\nbackend=nope\n', 'no such backend: nope'],
    ['profile=nope\n', 'no such profile: nope'],
    ['parent=nope\n', 'no such agent: nope'],
    ['cwd=here\n', 'illegal value: cwd=here: the path must be absolute or begin with ~/'],
  ])('refuses %j with the write of the line, and makes nothing', async (request, complaint) => {
    await start();
    await ollie.write('session/new', 'name=s\n');
    const handle = await ollie.open('session/s/agent/new', { read: false, write: true, truncate: false });
    await expect(handle.write(0, Buffer.from(request), { signal: AbortSignal.timeout(5_000) })).rejects.toThrow(complaint);
    await expect(ollie.write('session/s/agent/new', request.trimEnd())).rejects.toThrow(complaint);
    expect(await ollie.ls('session/s/agent')).toEqual(['new', 'idx']);
  });

  describe('generate', () => {
    it('streams the raw answer to a text', async () => {
      await start({ text: ['4', '2'] });
      expect(await ollie.ask('generate', 'what is it?\n')).toBe('42');
      expect(backend.requests).toMatchObject([{ model: 'fake-1', system: '', tools: [], params: {} }]);
    });

    it('takes a JSON request with its parameters', async () => {
      await start({ text: 'ok' });
      const request = { prompt: 'x', backend: 'fake', model: 'm', system: 'be brief', maxTokens: 5, temperature: 0.5 };
      expect(await ollie.ask('generate', JSON.stringify(request))).toBe('ok');
      expect(backend.requests).toMatchObject([{ model: 'm', system: 'be brief', params: { maxTokens: 5, temperature: 0.5 } }]);
    });

    it.each([
      ['{"prompt":"x","backend":"none"}', 'no such backend: none'],
      ['{"prompt":"x","colour":1}', 'illegal key: colour'],
      ['{"prompt":"x","maxTokens":"5"}', 'illegal value: maxTokens="5"'],
      ['  \n', 'illegal argument: empty prompt'],
    ])('refuses %s', async (request, complaint) => {
      await start();
      await expect(ollie.ask('generate', request)).rejects.toThrow(complaint);
    });

    it('takes JSON without a prompt, and broken JSON, as text', async () => {
      await start();
      await ollie.ask('generate', '{"text":"x"}');
      await ollie.ask('generate', '{"prompt":');
      expect(backend.requests.map(({ messages }) => messages[0]?.content)).toEqual([
        [{ type: 'text', text: '{"text":"x"}' }],
        [{ type: 'text', text: '{"prompt":' }],
      ]);
    });

    it('says what to configure when there is no backend', async () => {
      await start();
      expect(() => generate(new FakeBackendCatalog(), 'x', new AbortController().signal)).toThrow(
        'no backend configured: set OLLIE_OPENAI_URL',
      );
    });
  });

  it('stops when told to, after the teller could read the answer', async () => {
    await start();
    const stopped = new Promise<void>((resolve) => module.get(ServerControl).onStop(resolve));
    expect(await ollie.ask('ctl', 'kill\n')).toBe('ok\n');
    await stopped;
  });

  it('drops what it has cached when told to', async () => {
    await start();
    const { profiles, backends, tools } = module.get(OlliesrvServices);
    const told: string[] = [];
    jest.spyOn(backends, 'invalidate').mockImplementation(() => void told.push('backends'));
    jest.spyOn(tools, 'invalidate').mockImplementation(() => void told.push('tools'));
    const before = profiles.get('default');
    expect(profiles.get('default')).toBe(before);
    expect(await ollie.ask('ctl', 'invalidate\n')).toBe('ok\n');
    expect(profiles.get('default')).not.toBe(before);
    expect(told.sort()).toEqual(['backends', 'tools']);
  });
});

const FILE_TOOLS = { client_9p: {}, file_edit: {}, file_read: {}, file_write: {} };
const CALLER: Client = { role: 'user', uname: 'u', aname: '', tag: 't' };
