import { DMDIR, openMode, type Client, type Stat } from '#ninep';
import { mount, type TreeNode } from '#virtfs';
import { olliesrvNamespace } from '../../apps/olliesrv/src/namespace/root.js';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';
import { until } from '../support/until.js';

const ID = '\\d{19}-[0-9a-f]{6}';

/** `length`: whether stat tells the true length of what is read, the one known from the last reading, or 0 as for files that wait or answer. */
interface Row {
  readonly path: string;
  readonly mode: number;
  readonly kind: TreeNode['kind'];
  readonly example?: RegExp;
  readonly length?: 'true' | 'known' | 'zero';
}

/** Every row of the contract's sections 2.1 to 2.4 that is there; what can be read without waiting has its literal example. */
const ROWS: readonly Row[] = [
  { path: 'backends', mode: 0o444, kind: 'text', example: /^fake\n$/, length: 'true' },
  { path: 'models', mode: 0o444, kind: 'text', example: /^fake\tfake-1\n(fake\t\S+\n)*$/, length: 'known' },
  { path: 'agents', mode: 0o444, kind: 'text', example: /^default\ncoding\nobserver\n$/, length: 'true' },
  { path: 'tools', mode: 0o444, kind: 'text', example: /^client_9p {3}\S.*\nfile_edit {3}\S.*\n(\w+ {2,}\S.*\n)+$/, length: 'known' },
  { path: 'help', mode: 0o444, kind: 'text', example: /session\/\{session\}\/agent\/\{agent\}\/chat\.raw/, length: 'true' },
  {
    path: 'aliases',
    mode: 0o444,
    kind: 'text',
    example: new RegExp(`^${ID}\\tsession/myproj\\n${ID}\\tsession/myproj/agent/coding\\n$`),
    length: 'true',
  },
  { path: 'ctl', mode: 0o660, kind: 'control', example: /^invalidate\t\S.*\nkill\t(.*\n)*trust <path>\t/, length: 'zero' },
  {
    path: 'eventwait',
    mode: 0o444,
    kind: 'wait',
    example: /^(\{"id":\d+,"ts":\d{13},"topic":"[a-z.]+",("session":"[^"]+",)?("agent":"[^"]+",)?"data":\{.*\}.*\}\n)+$/,
    length: 'zero',
  },
  { path: 'events', mode: 0o444, kind: 'stream' },
  { path: 'generate', mode: 0o660, kind: 'ask', length: 'zero' },
  { path: 'approvals', mode: 0o550, kind: 'dir' },
  { path: 'approvals/pending', mode: 0o400, kind: 'wait', length: 'zero' },
  { path: 'approvals/resolve', mode: 0o200, kind: 'message', length: 'zero' },
  { path: 'approvals/log', mode: 0o400, kind: 'stream', example: /^\{"id":"a-\d+",.*"decision":"approved".*\}\n$/, length: 'true' },
  { path: 'session', mode: 0o555, kind: 'dir' },
  { path: 'session/new', mode: 0o660, kind: 'ask', length: 'zero' },
  { path: 'session/idx', mode: 0o444, kind: 'text', example: new RegExp(`^myproj\\t${ID}\\tidle\\t1\\t-\\n$`), length: 'true' },
  { path: 'session/{s}', mode: 0o555, kind: 'dir' },
  {
    path: 'session/{s}/env',
    mode: 0o444,
    kind: 'text',
    example: new RegExp(`^(OLLIE\\w*=.*\\n)*OLLIE_SESSION=myproj\\nOLLIE_SESSION_ID=${ID}\\n(OLLIE_\\w*=.*\\n)*$`),
    length: 'true',
  },
  { path: 'session/{s}/paused', mode: 0o444, kind: 'text', example: /^false\n$/, length: 'true' },
  {
    path: 'session/{s}/ctl',
    mode: 0o660,
    kind: 'control',
    example: /^kill\t\S.*\nsave\t.*\ninvalidate\t.*\npause\t.*\nresume\t.*\nhelp\t.*\n$/,
    length: 'zero',
  },
  { path: 'session/{s}/name', mode: 0o664, kind: 'text', example: /^myproj\n$/, length: 'true' },
  { path: 'session/{s}/id', mode: 0o444, kind: 'text', example: new RegExp(`^${ID}\\n$`), length: 'true' },
  { path: 'session/{s}/agent', mode: 0o555, kind: 'dir' },
  { path: 'session/{s}/agent/new', mode: 0o660, kind: 'ask', length: 'zero' },
  {
    path: 'session/{s}/agent/idx',
    mode: 0o444,
    kind: 'text',
    example: new RegExp(`^coding\\t${ID}\\tidle\\tdefault\\tfake\\tfake-1\\t/\\S+\\n$`),
    length: 'true',
  },
  { path: 'session/{s}/agent/{a}', mode: 0o555, kind: 'dir' },
];

/** Where a write or a question is refused, and the exact words. */
const REFUSED: readonly (readonly [path: string, text: string, words: string])[] = [
  ['ctl', 'x\n', 'illegal command: x'],
  ['generate', '\n', 'illegal argument: empty prompt'],
  ['generate', '{"prompt":"a","backend":"b"}', 'no such backend: b'],
  ['approvals/resolve', '{"id":"a-99","approved":true}', 'no such request: a-99'],
  ['session/new', 'name=myproj\n', 'session already exists: myproj'],
  ['session/new', 'name=idx\n', 'illegal name: idx'],
  ['session/new', 'colour=red\n', 'illegal key: colour'],
  ['session/new', 'cwd=/no/such\n', 'no such directory: /no/such'],
  ['session/myproj/ctl', 'x\n', 'illegal command: x'],
  ['session/myproj/name', 'other', 'session already exists: other'],
  ['session/myproj/name', '-x', 'illegal name: -x'],
  ['session/myproj/agent/new', 'name=coding\n', 'agent already exists: coding'],
  ['session/myproj/agent/new', 'name=new\n', 'illegal name: new'],
  ['session/myproj/agent/new', 'name=n cwd=/no/such\n', 'no such directory: /no/such'],
  ['session/myproj/agent/new', 'name=n agent=nobody\n', 'no such profile: nobody'],
  ['session/myproj/agent/new', 'name=n backend=b\n', 'no such backend: b'],
  ['session/myproj/agent/new', 'name=n parent=nobody\n', 'no such agent: nobody'],
];

/** The rows above, `help` and a tree that is really there say the same, over a socket. */
describe('the live tree above an agent', () => {
  let served: ServedOlliesrv;
  let client: Client;

  beforeAll(async () => {
    served = await ServedOlliesrv.start();
    client = await served.dial({ aname: 'client=reader' });
    await client.writeAll('session/new', 'name=myproj\n');
    await client.writeAll('session/myproj/agent/new', 'name=coding\n');
    await answerQuestion();
  });
  afterAll(() => served.close());

  async function answerQuestion(): Promise<void> {
    const answer = answerOf(client, 'session/myproj/agent/coding/ctl', 'ask Which colour?\n');
    const { id } = JSON.parse(await textOf(client, 'approvals/pending')) as { id: string };
    await client.writeAll('approvals/resolve', JSON.stringify({ id, answer: 'blue' }));
    expect(await answer).toBe('blue\n');
  }

  const real = (path: string): string => path.replace('{s}', 'myproj').replace('{a}', 'coding');
  const known = new Set(ROWS.map(({ path }) => real(path)));
  const lengthOf = async (path: string): Promise<number> => Number((await client.stat(path)).length);

  async function walk(below = ''): Promise<readonly string[]> {
    const children: readonly Stat[] = await client.list(below);
    const paths = await Promise.all(
      children.map(async ({ name, mode }) => {
        const path = below === '' ? name : `${below}/${name}`;
        return (mode & DMDIR) === 0 || path.endsWith('/coding') ? [path] : [path, ...(await walk(path))];
      }),
    );
    return paths.flat();
  }

  function kindOf(path: string): TreeNode['kind'] | undefined {
    return path.split('/').reduce<TreeNode | undefined>((node, name) => node?.walk(name), mount(olliesrvNamespace, served.services))?.kind;
  }

  it('has the files of the contract, and no others', async () => {
    expect([...(await walk())].sort()).toEqual([...known].sort());
  });

  it.each(ROWS)('$path: mode, kind, and what help says', async (row) => {
    const path = real(row.path);
    const { mode } = await client.stat(path);
    expect([(mode & 0o777).toString(8), (mode & DMDIR) !== 0, kindOf(path)]).toEqual([row.mode.toString(8), row.kind === 'dir', row.kind]);
    const shown = `${row.path.replace('{s}', '{session}').replace('{a}', '{agent}')}${row.kind === 'dir' ? '/' : ''}`;
    const line = (await textOf(client, 'help')).split('\n').find((one) => one.startsWith(`${shown} `)) ?? '';
    expect(line.split(/\s+/).slice(0, 3)).toEqual([shown, row.mode.toString(8).padStart(4, '0'), row.kind]);
  });

  it.each(ROWS.filter(({ example }) => example !== undefined))('$path: the example, and the length that stat tells', async (row) => {
    const path = real(row.path);
    const before = await lengthOf(path);
    const waiting = textOf(client, path);
    if (path === 'eventwait') await client.writeAll('session/myproj/agent/coding/prompt', 'x\n');
    const text = await waiting;
    expect(text).toMatch(row.example ?? '');
    const bytes = row.length === 'zero' ? 0 : Buffer.byteLength(text);
    expect([row.length === 'known' ? bytes : before, await lengthOf(path)]).toEqual([bytes, bytes]);
  });

  it.each(ROWS.filter(({ length }) => length === 'zero'))('$path: length 0', async ({ path }) => {
    expect(await lengthOf(real(path))).toBe(0);
  });

  it('events: the lines of eventwait as a log with an epoch, of the length that stat tells', async () => {
    const length = await lengthOf('events');
    const file = await client.open('events', openMode.read);
    const text = new TextDecoder().decode(await file.read(0, length));
    expect(text).toMatch(
      /^\{"id":1,"ts":\d{13},"topic":"session\.created","session":"[^"]+",.*"data":\{"name":"myproj"\}.*"epoch":[^\n]+\}\n/,
    );
    expect([Buffer.byteLength(text), text.endsWith('\n')]).toEqual([length, true]);
    await file.clunk();
  });

  it('approvals/pending: the question with its facts, once for each client', async () => {
    const answer = answerOf(client, 'session/myproj/agent/coding/ctl', 'ask Which size?\n');
    const first = JSON.parse(await textOf(client, 'approvals/pending')) as { id: string };
    expect(first).toMatchObject({ kind: 'question', secret: false, host: 'local', command: 'Which size?' });
    const other = await served.dial({ aname: 'client=other' });
    expect(JSON.parse(await textOf(other, 'approvals/pending'))).toEqual(first);
    await client.writeAll('approvals/resolve', JSON.stringify({ id: first.id, error: 'no' }));
    await expect(answer).rejects.toThrow('no');
  });

  it('generate, session/new and agent/new: the answer on the fid of the question', async () => {
    expect(await answerOf(client, 'generate', 'hello')).toBe('done');
    expect(await answerOf(client, 'session/new', 'name=other\n')).toBe('other\n');
    expect(await answerOf(client, 'session/new', '\n')).toMatch(new RegExp(`^${ID}\\n$`));
    expect(await answerOf(client, 's/other/agent/new', 'name=a\n')).toMatch(new RegExp(`^${ID}\\n$`));
    expect(await answerOf(client, 'session/other/agent/new', 'prompt=x\n')).toBe('done');
    await until('the one with a prompt is gone', async () => (await client.list('session/other/agent')).length === 3);
  });

  it.each(REFUSED)('%s <- %j: %s', async (path, text, words) => {
    const refused = path.endsWith('resolve') || path.endsWith('name') ? client.writeAll(path, text) : answerOf(client, path, text);
    await expect(refused).rejects.toThrow(words);
  });
});
