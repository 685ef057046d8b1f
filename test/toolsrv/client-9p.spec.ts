import { isJsonObject, parseJson } from '#model';
import type { Client } from '#ninep';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';
import { payload, text, ToolBench } from './tool-bench.js';

jest.setTimeout(60_000);

/** The namespace behind its real doors, and a real toolsrv whose tools run in the real sandbox. */
describe('the tool client_9p', () => {
  let served: ServedOlliesrv;
  let bench: ToolBench;
  let owner: Client;
  let hands: Client;
  let agent: string;
  let session: string;

  beforeAll(async () => {
    served = await ServedOlliesrv.start();
    bench = new ToolBench();
    await bench.start({ env: { XDG_RUNTIME_DIR: served.folder } });
    owner = await served.dial();
    await owner.writeAll('session/new', 'name=s\n');
    await owner.writeAll('session/new', 'name=t\n');
    session = (await textOf(owner, 'session/s/id')).trim();
    agent = (await answerOf(owner, 'session/s/agent/new', 'name=me\n')).trim();
    await answerOf(owner, 'session/s/agent/new', 'name=other\n');
    hands = await bench.connect(agent);
    await hands.writeAll('ctl', `load ${agent} client_9p\nload ${agent} shell\n`);
    await served.openDoor(agent);
  });
  afterAll(async () => {
    await bench.close();
    await served.close();
  });

  async function call(args: Readonly<Record<string, string>>, id = agent): Promise<string> {
    const fields = { tool: 'client_9p', agent: id, session, args: JSON.stringify(args) };
    const result = parseJson(text(await hands.ask('proc/new', payload(hands, fields))));
    const contents = isJsonObject(result) ? result['content'] : undefined;
    const [content] = Array.isArray(contents) ? contents.filter(isJsonObject) : [];
    const said = content?.['text'];
    return typeof said === 'string' ? said : fail(`no text in ${JSON.stringify(result)}`);
  }

  it('reads, lists and tells about files', async () => {
    expect(await call({ op: 'read', path: '/backends' })).toBe('fake\n');
    expect(await call({ op: 'ls', path: '~session' })).toMatch(/^env\n(.*\n)*agent\/\n/);
    expect(await call({ op: 'read', path: '~agent/name' })).toBe('me\n');
    expect(await call({ op: 'stat', path: '~agent/plan' })).toMatch(/^name=plan\ntype=file\nmode=0664\nlength=0\nmtime=\S+\n$/);
  });

  it('writes, and asks on one handle', async () => {
    expect(await call({ op: 'write', path: '~agent/plan', data: '- [ ] öne\n' })).toBe('11 bytes written\n');
    expect(await textOf(owner, 'session/s/agent/me/plan')).toBe('- [ ] öne\n');
    expect(await call({ op: 'rdwr', path: '~agent/ctl', data: 'help\n' })).toContain('tools\tlist the loaded tools\n');
    expect(await call({ op: 'rdwr', path: '~session/agent/new', data: 'name=sub\nprompt=say hi\n' })).toBe('done');
  });

  it('is refused what is not its agent’s to do', async () => {
    expect(await call({ op: 'write', path: '~agent/name', data: 'x' })).toBe('execution failed: exit 1\npermission denied\n');
    expect(await call({ op: 'write', path: 'session/s/agent/other/prompt', data: 'x' })).toContain('permission denied\n');
    expect(await call({ op: 'rdwr', path: '/ctl', data: 'kill\n' })).toContain('permission denied\n');
    expect(await call({ op: 'read', path: 'session/t/name' })).toContain('file does not exist\n');
  });

  it('has its door only, whatever it is told', async () => {
    const stranger = `${'1'.repeat(19)}-abcdef`;
    await hands.writeAll('ctl', `load ${stranger} client_9p\nload ../x client_9p\n`);
    for (const id of [stranger, '../x'])
      expect(await call({ op: 'read', path: '/help' }, id)).toBe(
        `execution failed: client_9p needs the namespace, to which agent ${id} has no door here`,
      );
  });

  it('refuses what is no operation', async () => {
    expect(await call({ op: 'remove', path: '/x' })).toMatch(/^invalid arguments: \/op /);
    expect(await call({ op: 'read' })).toMatch(/^invalid arguments: /);
  });

  it('is the only tool with a way there', async () => {
    const fields = { tool: 'shell', agent, session, cmd: `ls -d ${served.folder}/ollie/agent; { echo >&3; } 2>&1; true` };
    expect(text(await hands.ask('proc/new', payload(hands, fields)))).toMatch(/No such file or directory.*Bad file descriptor/s);
  });
});

function fail(what: string): never {
  throw new Error(what);
}
