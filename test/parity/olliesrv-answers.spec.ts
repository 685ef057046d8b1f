import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import { Paths, silentLog } from '#config';
import { textResult, ToolHostFactory } from '#model';
import { FakeToolHostFactory } from '#testkit';
import { MemoryClient, mount } from '#virtfs';
import { olliesrvNamespace } from '../../apps/olliesrv/src/namespace/root.js';
import { OlliesrvModule } from '../../apps/olliesrv/src/olliesrv.module.js';
import { OlliesrvServices } from '../../apps/olliesrv/src/olliesrv-services.js';

const ID = '[0-9]{19}-[0-9a-f]{6}';

/** The literal examples of the contract's section 2, as shapes: what is fixed stands as it is. */
const SHAPES: readonly (readonly [path: string, shape: RegExp])[] = [
  ['backends', /^scripted\n$/],
  ['models', /^scripted\tdefault\n(scripted\t\S+\n)*$/],
  ['agents', /^default\ncoding\nobserver\n$/],
  ['tools', /^client_9p {3}\S.*\nfile_edit {3}\S.*\nfile_read {3}\S.*\nfile_write {2}\S.*\nshell {7}\S.*\n$/],
  ['help', /\bchat\.raw\b/],
  ['aliases', new RegExp(`^${ID}\\tsession/myproj\\n${ID}\\tsession/myproj/agent/coding\\n$`)],
  ['session/idx', new RegExp(`^myproj\\t${ID}\\tidle\\t1\\t-\\n$`)],
  ['session/myproj/env', new RegExp(`^(OLLIE[A-Z_]*=.*\\n)*OLLIE_SESSION=myproj\\nOLLIE_SESSION_ID=${ID}\\n(OLLIE_[A-Z_]*=.*\\n)*$`)],
  ['session/myproj/paused', /^false\n$/],
  ['session/myproj/name', /^myproj\n$/],
  ['session/myproj/id', new RegExp(`^${ID}\\n$`)],
  ['session/myproj/agent/idx', new RegExp(`^coding\\t${ID}\\tidle\\tdefault\\tscripted\\tdefault\\t/\\S+\\n$`)],
  ['AGENT/chat', /^user: run ls\n-> shell\(\{"cmd":"ls"\}\)\n<- shell 2 lines\n\[scripted\] done:\na\nb\n$/],
  ['AGENT/log', /^user: run ls\n(.*\n)*b\n$/],
  [
    'AGENT/chat.raw',
    /\[\[\[user id=\d+ ts=\d{13}\]\]\]\nrun ls\n\[\[\[\/user nonl=1\]\]\]\n(.*\n)*\[\[\[call id=\d+ name=shell call=\S+\]\]\]\n\{"cmd":"ls"\}\n\[\[\[\/call nonl=1\]\]\]\n(.*\n)*\[\[\[tool id=\d+ name=shell call=\S+ error=false tier=hot\]\]\]\na\nb\n\[\[\[\/tool\]\]\]\n(.*\n)*\[\[\[assistant id=\d+( resp=\S+)? format=markdown\]\]\]\n\[scripted\] done:\na\nb\n\[\[\[\/assistant\]\]\]\n/,
  ],
  ['AGENT/plan', /^- \[ \] one\n$/],
  ['AGENT/cfg', /^state=idle\naction=\n(\w+=.*\n)*backend=scripted\nmodel=default\ncwd=\/\S+\n(\w+=.*\n)*maxSteps=0\n/],
  ['AGENT/stats', /^(\w+=\S*\n)*totalInputTokens=\d+\n(\w+=\S*\n)*turns=1\nsteps=\d+\nqueued=0\n/],
  ['AGENT/name', /^coding\n$/],
  ['AGENT/id', new RegExp(`^${ID}\\n$`)],
  ['AGENT/proc/top', /^PID TOOL +CMD\n7 {3}shell go test \.\/\.\.\.\n$/],
];

const keys = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Sections 2.8 and 2.9: the keys that have a source, in their order. */
const CFG_KEYS = keys(`
  state action session id name agent backend model cwd remote maxSteps compactionModel autoLoad feed
  maxTokens maxCompletionTokens temperature topP topK minP topA frequencyPenalty presencePenalty repetitionPenalty
  thinkingBudget reasoningEffort includeReasoning responseFormat stop verbosity
`);
const STATS_KEYS = keys(`
  prefix cachedShare costKnown totalInputTokens totalCachedInputTokens totalCacheCreationTokens totalOutputTokens totalRequests
  turnInputTokens turnOutputTokens contextTokens turns steps queued estimated
`);

const ANSWERS: readonly (readonly [path: string, request: string, shape: RegExp])[] = [
  ['ctl', 'invalidate\n', /^ok\n$/],
  ['ctl', 'help\n', /^invalidate\t\S.*\n(.*\n)*$/],
  ['generate', 'say hi', /^\[scripted\] hi$/],
  ['generate', '{"prompt":"say hi","backend":"scripted"}', /^\[scripted\] hi$/],
  ['session/new', 'name=other\n', /^other\n$/],
  ['session/myproj/agent/new', 'name=second\n', new RegExp(`^${ID}\\n$`)],
  ['session/myproj/agent/new', 'prompt=say hi\n', /^\[scripted\] hi$/],
  ['session/myproj/ctl', 'help\n', /^kill\t\S.*\n(.*\n)*$/],
  ['AGENT/ctl', 'stop\n', /^idle\n$/],
  ['AGENT/ctl', 'tools\n', /^(\w+\t(hot|warm|cold)\t\S.*\n)+$/],
  ['AGENT/ctl', 'help\n', /^stop\tinterrupt the running turn\n/],
];

describe('each file of olliesrv answers as in the contract', () => {
  let home: string;
  let module: TestingModule;
  let ollie: MemoryClient;

  beforeAll(async () => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-parity-')));
    const environment = { HOME: home, OLLIE: '/mnt', OLLIE_BACKEND: 'scripted' };
    const tool = { client_9p: {}, file_edit: {}, file_read: {}, file_write: {}, shell: { run: () => textResult('a\nb\n') } };
    const hands = new FakeToolHostFactory(tool);
    const options = { paths: Paths.from(environment), environment, cwd: home, log: silentLog };
    module = await Test.createTestingModule({ imports: [OlliesrvModule.forRoot(options)] })
      .overrideProvider(ToolHostFactory)
      .useValue(hands)
      .compile();
    ollie = new MemoryClient(mount(olliesrvNamespace, module.get(OlliesrvServices)));
    await useOllie(hands);
  });
  afterAll(async () => {
    await module.get(OlliesrvServices).sessions.close();
    await module.close();
    rmSync(home, { recursive: true });
  });

  async function useOllie(hands: FakeToolHostFactory): Promise<void> {
    await ollie.ask('session/new', 'name=myproj\n');
    const id = (await ollie.ask('session/myproj/agent/new', 'name=coding\n')).trim();
    await ollie.write(at('AGENT/prompt'), 'run ls\n');
    await ollie.read(at('AGENT/chat'));
    await ollie.write(at('AGENT/plan'), '- [ ] one\n');
    const [host] = hands.hosts.values();
    const server = host?.servers.get(id);
    if (server) server.background = [{ pid: 7, state: 'running', tool: 'shell', command: 'go test ./...' }];
  }

  it.each(SHAPES)('%s', async (path, shape) => {
    expect(await ollie.read(at(path))).toMatch(shape);
  });

  it.each([
    ['AGENT/cfg', CFG_KEYS],
    ['AGENT/stats', STATS_KEYS],
  ])('%s: its keys', async (path, expected) => {
    const text = await ollie.read(at(path));
    expect(text.match(/^[^=\n]+/gm)).toEqual(expected);
  });

  it('AGENT/statewait', async () => {
    expect(await ollie.read(at('AGENT/statewait'))).toBe('idle\n');
  });

  it.each(ANSWERS)('%s <- %j', async (path, request, shape) => {
    expect(await ollie.ask(at(path), request)).toMatch(shape);
  });

  it('snapshots say their true length', async () => {
    for (const path of ['backends', 'session/idx', 'AGENT/cfg', 'AGENT/chat', 'AGENT/log', 'AGENT/plan', 'AGENT/id'].map(at)) {
      expect([path, (await ollie.stat(path)).length]).toEqual([path, Buffer.byteLength(await ollie.read(path))]);
    }
  });

  it('blocking and question files say 0', async () => {
    for (const path of ['ctl', 'generate', 'session/new', 'AGENT/statewait', 'AGENT/prompt', 'AGENT/ctl'].map(at)) {
      expect([path, (await ollie.stat(path)).length]).toEqual([path, 0]);
    }
  });
});

function at(path: string): string {
  return path.replace('AGENT', 'session/myproj/agent/coding');
}
