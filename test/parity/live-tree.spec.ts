import type { Client } from '#ninep';
import { fakeCall } from '#testkit';
import { mount, type TreeNode } from '#virtfs';
import { olliesrvNamespace } from '../../apps/olliesrv/src/namespace/root.js';
import { ServedOlliesrv, textOf } from '../support/served-olliesrv.js';

const AGENT = 'session/s/agent/coding';
const ID = '\\d{19}-[0-9a-f]{6}';
const DMDIR = 0x80000000;

/** `length`: whether stat tells the true length of what is read, or 0 as for files that wait or answer. */
interface Row {
  readonly path: string;
  readonly mode: number;
  readonly kind: TreeNode['kind'];
  readonly example?: RegExp;
  readonly length?: 'true' | 'known' | 'zero';
}

const usage = { inputTokens: 4000, cachedInputTokens: 30_000, cacheCreationTokens: 0, outputTokens: 310, costUSD: 0.0123 };

/** Every row of the contract's section 2.5 that is there, with the literal example of the contract as far as it is fixed. */
const ROWS: readonly Row[] = [
  { path: 'prompt', mode: 0o220, kind: 'message', length: 'zero' },
  { path: 'fifo', mode: 0o664, kind: 'queue', example: /^run the tests\n$/, length: 'zero' },
  { path: 'feed', mode: 0o664, kind: 'latest', example: /^any bytes\n$/, length: 'zero' },
  {
    path: 'chat',
    mode: 0o444,
    kind: 'stream',
    example: /^user: fix the bug\nI'll look\.\n-> shell\(\{"cmd":"go test \.\/\.\.\.","background":true\}\)\n<- shell 1 lines\nFixed\.\n$/,
    length: 'true',
  },
  {
    path: 'chat.raw',
    mode: 0o444,
    kind: 'stream',
    example:
      /\[\[\[user id=\d+ ts=\d{13}\]\]\]\nfix the bug\n\[\[\[\/user nonl=1\]\]\]\n[^]*\[\[\[call id=\d+ name=shell call=toolu_01\]\]\]\n\{.*\}\n\[\[\[\/call nonl=1\]\]\]\n\[\[\[tool id=\d+ name=shell call=toolu_01 error=false tier=hot\]\]\]\n[^]*\[\[\[assistant id=\d+ resp=msg_01 format=markdown\]\]\]\nFixed\.\n\[\[\[\/assistant nonl=1\]\]\]\n/,
    length: 'true',
  },
  { path: 'statewait', mode: 0o444, kind: 'wait', example: /^idle\n$/, length: 'zero' },
  { path: 'log', mode: 0o444, kind: 'text', example: /^user: fix the bug\n[^]*Fixed\.\n$/, length: 'true' },
  { path: 'plan', mode: 0o664, kind: 'data', example: /^- \[ \] look\n- \[x\] fix\n$/, length: 'true' },
  {
    path: 'cfg',
    mode: 0o664,
    kind: 'settings',
    example: /^state=idle\naction=\n(.*\n)*backend=fake\nmodel=fake-1\ncwd=\/\S+\nremote=\nmaxSteps=0\n(.*\n)*temperature=\n/,
    length: 'true',
  },
  { path: 'ctl', mode: 0o660, kind: 'control', example: /^stop\tinterrupt the running turn\n/, length: 'zero' },
  {
    path: 'stats',
    mode: 0o444,
    kind: 'text',
    example:
      /^prefix=[0-9a-f]{6}\ncachedShare=0\.88\ncostKnown=true\ntotalInputTokens=8000\ntotalCachedInputTokens=60000\ntotalCacheCreationTokens=0\ntotalOutputTokens=620\ntotalRequests=2\nturnInputTokens=8000\nturnOutputTokens=620\nlastTurnCostUSD=0\.0246\nsessionCostUSD=0\.0246\ncontextTokens=34310\nturns=1\nsteps=2\nqueued=[01]\nestimated=false\n$/,
    length: 'true',
  },
  { path: 'name', mode: 0o664, kind: 'text', example: /^coding\n$/, length: 'true' },
  { path: 'id', mode: 0o444, kind: 'text', example: new RegExp(`^${ID}\\n$`), length: 'true' },
  { path: 'peer', mode: 0o555, kind: 'dir' },
  { path: 'peer/{other}', mode: 0o220, kind: 'message', length: 'zero' },
  { path: 'ctx', mode: 0o555, kind: 'dir' },
  {
    path: 'ctx/idx',
    mode: 0o444,
    kind: 'text',
    example: /^0001\tuser\thot\t3\tfix the bug\n(.*\n)*0003\ttool\thot\t\d+\tshell go test \.\/\.\.\.\n/,
    length: 'true',
  },
  { path: 'ctx/{number}', mode: 0o444, kind: 'text', example: /\S/, length: 'true' },
  {
    path: 'budget',
    mode: 0o644,
    kind: 'settings',
    example: /^usd=2 spent=0\.0246\ntokens= spent=8620\nrounds= spent=2\nwall=30m spent=\d+s\n$/,
    length: 'true',
  },
  { path: 'proc', mode: 0o555, kind: 'dir' },
  { path: 'proc/top', mode: 0o444, kind: 'text', example: /^PID TOOL {2}CMD\n7 {3}shell go test \.\/\.\.\.\n$/, length: 'known' },
  { path: 'proc/{pid}', mode: 0o555, kind: 'dir' },
  { path: 'proc/{pid}/out', mode: 0o444, kind: 'text', example: /^made\n$/, length: 'true' },
  { path: 'proc/{pid}/stat', mode: 0o444, kind: 'text', example: /^id=1\nstate=running\n$/, length: 'known' },
];

interface Found {
  readonly path: string;
  readonly mode: number;
  readonly length: number;
}

/** `docs/namespace.md`, `help` and the rows above say the same of a tree that is really there. */
describe('the live tree of an agent', () => {
  let served: ServedOlliesrv;
  let client: Client;
  let found: readonly Found[];

  beforeAll(async () => {
    served = await ServedOlliesrv.start([
      { text: "I'll look.", calls: [fakeCall('toolu_01', 'shell', { cmd: 'go test ./...', background: true })], usage },
      { responseId: 'msg_01', text: 'Fixed.', usage },
    ]);
    client = await served.dial();
    await client.writeAll('session/new', 'name=s\n');
    for (const name of ['coding', 'review']) await client.writeAll('session/s/agent/new', `name=${name}\n`);
    await useAgent();
    found = [...(await walk(''))];
  });
  afterAll(() => served.close());

  async function useAgent(): Promise<void> {
    await client.writeAll(`${AGENT}/prompt`, 'fix the bug\n');
    await textOf(client, `${AGENT}/chat`);
    await client.writeAll(`${AGENT}/plan`, '- [ ] look\n- [x] fix\n');
    await client.writeAll(`${AGENT}/budget`, 'usd=2\nwall=30m\n');
    await client.writeAll(`${AGENT}/feed`, 'any bytes\n');
    await client.writeAll(`${AGENT}/fifo`, 'run the tests\n');
    const [host] = served.hands.hosts.values();
    for (const server of host?.servers.values() ?? [])
      server.background = [{ pid: 7, state: 'running', tool: 'shell', command: 'go test ./...' }];
  }

  async function walk(below: string): Promise<readonly Found[]> {
    const all: Found[] = [];
    for (const stat of await client.list(`${AGENT}/${below}`)) {
      const path = below === '' ? stat.name : `${below}/${stat.name}`;
      all.push({ path, mode: stat.mode, length: Number(stat.length) });
      if ((stat.mode & DMDIR) !== 0) all.push(...(await walk(path)));
    }
    return all;
  }

  const labelled = (path: string): string =>
    path
      .replace(/^peer\/.+/, 'peer/{other}')
      .replace(/^ctx\/\d{4}$/, 'ctx/{number}')
      .replace(/^proc\/\d+/, 'proc/{pid}');
  const filesOf = (row: Row): readonly Found[] => found.filter(({ path }) => labelled(path) === row.path);

  function kindOf(path: string): TreeNode['kind'] | undefined {
    const names = `${AGENT}/${path}`.split('/');
    return names.reduce<TreeNode | undefined>((node, name) => node?.walk(name), mount(olliesrvNamespace, served.services))?.kind;
  }

  it('has the files of the contract, and no others', () => {
    expect([...new Set(found.map(({ path }) => labelled(path)))].sort()).toEqual(ROWS.map(({ path }) => path).sort());
  });

  it.each(ROWS)('$path: mode and kind', (row) => {
    const files = filesOf(row);
    expect(files.length).toBeGreaterThan(0);
    for (const { path, mode } of files) {
      expect([path, (mode & 0o777).toString(8), (mode & DMDIR) !== 0]).toEqual([path, row.mode.toString(8), row.kind === 'dir']);
      expect([path, kindOf(path)]).toEqual([path, row.kind]);
    }
  });

  it.each(ROWS.filter(({ example }) => example !== undefined))('$path: the example, and the length that stat tells', async (row) => {
    for (const { path } of filesOf(row)) {
      const before = Number((await client.stat(`${AGENT}/${path}`)).length);
      const text = await textOf(client, `${AGENT}/${path}`);
      expect(text).toMatch(row.example ?? '');
      const after = Number((await client.stat(`${AGENT}/${path}`)).length);
      const bytes = row.length === 'zero' ? 0 : Buffer.byteLength(text);
      expect([path, row.length === 'known' ? bytes : before, after]).toEqual([path, bytes, bytes]);
    }
  });

  it.each(ROWS.filter(({ length }) => length === 'zero'))('$path: length 0', async (row) => {
    for (const { path } of filesOf(row)) expect(Number((await client.stat(`${AGENT}/${path}`)).length)).toBe(0);
  });

  it('is what help says: every row with its mode and kind', async () => {
    const help = await textOf(client, 'help');
    for (const { path, mode, kind } of ROWS) {
      const shown = `session/{session}/agent/{agent}/${path}${kind === 'dir' ? '/' : ''}`;
      const line = help.split('\n').find((one) => one.startsWith(`${shown} `)) ?? '';
      expect(line.split(/\s+/).slice(0, 3)).toEqual([shown, mode.toString(8).padStart(4, '0'), kind]);
    }
  });
});
