import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTo, Paths, silentLog } from '#config';
import {
  BypassBroker,
  CallCheck,
  CallGate,
  type CallRequest,
  PrivateTmp,
  ProcessTable,
  type SandboxFacts,
  SessionDirectories,
  SessionLocks,
  ToolExecutor,
  Workbench,
} from '#exec';
import { isJsonObject, parseJson, type JsonObject } from '#model';
import { ToolRegistry } from '#registry';
import { compileCheck } from '#tools';
import type { Client } from '#virtfs';
import { FakeClock } from './fake-clock.js';
import { FakeProcessLauncher, type FakeRun } from './fake-process-launcher.js';
import { FakeSandboxStatus } from './fake-sandbox-status.js';
import { FakeToolCatalog, fakeTool } from './fake-tool-catalog.js';

const schema = { type: 'object', required: ['cmd'], properties: { cmd: { type: 'string' }, n: { type: 'integer' } } } as const;
const shell = fakeTool(
  { name: 'shell', inputSchema: schema, tier: 'warm', background: true, timeout: 9, bypass: 'ask' },
  { command: { type: 'shell', line: 'x' }, check: compileCheck(schema) },
);
const writes = fakeTool({ name: 'writes', parallel: 'write', bypass: 'ask' });
const outside = fakeTool({ name: 'outside', bypass: 'always' }, { env: ['SECRET_TOKEN'] });
const request: CallRequest = {
  tool: 'shell',
  agent: 'a-1',
  session: 's-1',
  cwd: '/',
  label: '',
  call: 'c-1',
  env: {},
  args: { cmd: 'ls' },
  fields: new Map(),
};

const observer: Client = { role: 'user', uname: 'observer', aname: '', tag: 'test' };

export interface ExecutorSetting {
  readonly onRun?: (run: FakeRun) => void;
  readonly yolo?: boolean;
  readonly facts?: Partial<SandboxFacts>;
}

/** Executors of one server, whose processes are in `table` and whose observers are asked by `broker`; nothing really runs. */
export class ExecutorBench {
  readonly home = mkdtempSync(join(tmpdir(), 'executor-'));
  readonly cwd = mkdtempSync(join(this.home, 'project-'));
  readonly table = new ProcessTable();
  /** Lines of the log about approvals. */
  readonly audit: string[] = [];
  readonly broker: BypassBroker;
  readonly observer = observer;

  constructor() {
    const sink = { write: (line: string) => void this.audit.push(line), flush: () => Promise.resolve() };
    this.broker = new BypassBroker(FakeClock.stopped(), logTo([sink], 'toolsrv', 'info'), 300_000);
  }

  executor({ onRun = (run) => run.exit(), yolo = false, facts = {} }: ExecutorSetting = {}): {
    executor: ToolExecutor;
    launcher: FakeProcessLauncher;
  } {
    const { home, table, broker } = this;
    const env = { HOME: home, PATH: '/bin', OLLIE_CFG_PATH: join(home, 'config'), SECRET_TOKEN: 'hush' };
    const launcher = new FakeProcessLauncher(onRun);
    const options = { paths: Paths.from(env), env, node: process.execPath, yolo };
    const bench = new Workbench(options, launcher, new FakeSandboxStatus(facts), new PrivateTmp(join(home, 'tmp')), silentLog);
    const catalog = new FakeToolCatalog([shell, fakeTool({ name: 'other' }), fakeTool({ name: 'foreground' }), writes, outside]);
    const registry = new ToolRegistry(catalog);
    for (const tool of ['shell', 'foreground', 'outside', 'writes']) registry.load('a-1', tool);
    const locks = new SessionLocks(new SessionDirectories(join(home, 'tmp'), silentLog));
    const gate = new CallGate(new CallCheck(Paths.from(env)), broker, locks);
    return { executor: new ToolExecutor(registry, catalog, table, bench, gate), launcher };
  }

  call(more: Partial<CallRequest> = {}): CallRequest {
    return { ...request, cwd: this.cwd, ...more };
  }

  /** Reads the next request and gives this answer to it. */
  async answer(words: JsonObject): Promise<JsonObject> {
    const shown = parseJson(await this.broker.pending.next(observer, new AbortController().signal));
    if (!isJsonObject(shown)) throw new Error('no object');
    this.broker.resolve(JSON.stringify({ id: shown['id'], ...words }), observer);
    return shown;
  }

  async remove(): Promise<void> {
    await this.table.killAll();
    rmSync(this.home, { recursive: true });
  }
}
