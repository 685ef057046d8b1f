import {
  abortable,
  BusyError,
  LostConnectionError,
  noNumbers,
  NotFoundError,
  textResult,
  ToolHost,
  ToolHostFactory,
  ToolServer,
} from '#model';
import type {
  BackgroundProcess,
  CatalogEntry,
  OutputPiece,
  ProcessEnd,
  ProcessNumbers,
  ProcessOrder,
  ToolInfo,
  ToolProcessInfo,
  ToolRequest,
  ToolResult,
} from '#model';

/** One tool of the fake host. An abort of `run`'s signal makes the call resolve as `cancelled`, whatever `run` does. */
export interface FakeTool {
  readonly info?: Partial<ToolInfo>;
  readonly run?: (request: ToolRequest, signal: AbortSignal) => Promise<ToolResult> | ToolResult;
}

/** What calls put out while they run, by their ids. */
export type FakeOutput = (callId: string, signal: AbortSignal) => AsyncIterable<OutputPiece>;

export type FakeTools = Readonly<Record<string, FakeTool>>;

/** A background process that ends when the test says so. */
export class FakeProcess implements BackgroundProcess {
  acknowledged = 0;
  killed = false;
  hasEnded = false;
  /** What `output` gives. */
  bytes: Uint8Array = Buffer.from('made\n');
  readonly orders: ProcessOrder[] = [];
  readonly ended: Promise<ProcessEnd>;
  private settle: (end: ProcessEnd) => void = () => undefined;
  private readonly failure = new AbortController();

  constructor(
    readonly pid: number,
    private readonly connection: AbortSignal,
  ) {
    this.ended = new Promise((resolve) => (this.settle = resolve));
  }

  end(end: Partial<ProcessEnd> = {}): void {
    this.hasEnded = true;
    this.settle({ exitCode: 0, command: 'make all', output: 'made\n', isWhole: true, ...end });
  }

  whenEnded(signal: AbortSignal): Promise<ProcessEnd> {
    return abortable(this.ended, AbortSignal.any([signal, this.connection, this.failure.signal]));
  }

  /** Its end cannot be known. */
  fail(error: Error): void {
    this.failure.abort(error);
  }

  async acknowledge(): Promise<void> {
    this.acknowledged += 1;
  }

  async kill(): Promise<void> {
    this.killed = true;
    this.end({ exitCode: 137 });
  }

  async order(order: ProcessOrder): Promise<void> {
    this.orders.push(order);
    if (this.hasEnded !== (order === 'dismiss'))
      throw this.hasEnded ? new NotFoundError('process', String(this.pid)) : new BusyError(STILL_RUNNING);
    if (order !== 'dismiss') this.end({ exitCode: order === 'kill' ? 137 : 143 });
  }

  async output({ offset, count }: { readonly offset: number; readonly count: number }): Promise<Uint8Array> {
    return this.bytes.subarray(offset, offset + count);
  }

  async outputLength(): Promise<number> {
    return this.bytes.length;
  }

  async stat(): Promise<string> {
    return `id=${this.pid}\nstate=${this.hasEnded ? 'exited' : 'running'}\n`;
  }
}

/** The hands of one agent without processes. What they did can be read. */
export class FakeToolServer extends ToolServer {
  /** Calls that reached the tool server, in order. */
  readonly calls: ToolRequest[] = [];
  /** Calls that are running now, and the most that ever ran at once. */
  active = 0;
  mostActive = 0;
  /** How often `loaded` was read. */
  listings = 0;
  closed = false;
  background: readonly ToolProcessInfo[] = [];
  /** What `start` has started, in order. */
  readonly started: FakeProcess[] = [];
  /** 0 makes the revision unknown for good. */
  rev = 1;
  private readonly names = new Set<string>();
  private connection = new AbortController();

  constructor(
    private readonly tools: FakeTools,
    private readonly output: FakeOutput = noOutput,
  ) {
    super();
  }

  /** The connection breaks: what is under way rejects, the next use finds a new one. */
  lose(): void {
    this.connection.abort(lost());
    this.connection = new AbortController();
  }

  async loaded(signal: AbortSignal): Promise<readonly ToolInfo[]> {
    await this.roundTrip(signal);
    this.listings += 1;
    return [...this.names].sort().map((name) => this.infoOf(name));
  }

  async revision(signal: AbortSignal): Promise<number> {
    await this.roundTrip(signal);
    return this.rev;
  }

  async load(tool: string, signal: AbortSignal): Promise<void> {
    await this.roundTrip(signal);
    if (!Object.hasOwn(this.tools, tool)) throw new NotFoundError('tool', tool);
    this.names.add(tool);
    if (this.rev > 0) this.rev += 1;
  }

  async unload(tool: string, signal: AbortSignal): Promise<void> {
    await this.roundTrip(signal);
    if (!this.names.delete(tool)) throw new NotFoundError('tool', tool);
    if (this.rev > 0) this.rev += 1;
  }

  async call(request: ToolRequest, signal: AbortSignal): Promise<ToolResult> {
    await this.roundTrip(signal);
    if (!this.names.has(request.tool)) return textResult(`tool not loaded: ${request.tool}`, true);
    this.calls.push(request);
    this.mostActive = Math.max(this.mostActive, (this.active += 1));
    try {
      return await this.run(request, signal);
    } finally {
      this.active -= 1;
    }
  }

  follow(callId: string, signal: AbortSignal): AsyncIterable<OutputPiece> {
    return this.output(callId, signal);
  }

  async start(request: ToolRequest, signal: AbortSignal): Promise<FakeProcess | ToolResult> {
    await this.roundTrip(signal);
    if (this.tools[request.tool]?.info?.background !== true) return textResult('illegal argument: tool cannot run in background', true);
    const process = new FakeProcess(this.started.length + 1, this.connection.signal);
    this.started.push(process);
    return process;
  }

  async process(pid: number): Promise<FakeProcess> {
    return this.started.find((one) => one.pid === pid) ?? new FakeProcess(pid, this.connection.signal);
  }

  async processes(signal: AbortSignal): Promise<readonly ToolProcessInfo[]> {
    await this.roundTrip(signal);
    return this.background;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.connection.abort(lost());
  }

  private async run(request: ToolRequest, signal: AbortSignal): Promise<ToolResult> {
    const connection = this.connection.signal;
    const run = this.tools[request.tool]?.run ?? (() => textResult(`${request.tool} ran\n`));
    try {
      return await abortable(Promise.resolve(run(request, signal)), AbortSignal.any([signal, connection]));
    } catch (error) {
      if (connection.aborted || !signal.aborted) throw error;
      return textResult('cancelled', true);
    }
  }

  private infoOf(name: string): ToolInfo {
    return { ...DEFAULT_INFO, name, description: `The tool ${name}`, ...this.tools[name]?.info };
  }

  private async roundTrip(signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    signal.throwIfAborted();
    if (this.closed) throw lost();
  }
}

/** Hands out a FakeToolServer an agent. `broken` makes the next connects fail. */
export class FakeToolHost extends ToolHost {
  readonly servers = new Map<string, FakeToolServer>();
  prepared = 0;
  connects = 0;
  closed = false;
  broken: Error | undefined;
  /** Of the calls on all its servers. */
  output: FakeOutput = noOutput;

  constructor(readonly tools: FakeTools = {}) {
    super();
  }

  prepare(): void {
    this.prepared += 1;
  }

  async connect(agentId: string, signal: AbortSignal): Promise<FakeToolServer> {
    this.connects += 1;
    await Promise.resolve();
    signal.throwIfAborted();
    if (this.broken) throw this.broken;
    const server = new FakeToolServer(this.tools, (callId, stop) => this.output(callId, stop));
    this.servers.set(agentId, server);
    return server;
  }

  async close(): Promise<void> {
    this.closed = true;
    await Promise.all([...this.servers.values()].map((server) => server.close()));
  }
}

/** Makes a FakeToolHost a session, all with the same tools. */
export class FakeToolHostFactory extends ToolHostFactory {
  readonly hosts = new Map<string, FakeToolHost>();
  /** By session. */
  readonly numbers = new Map<string, ProcessNumbers>();

  constructor(private readonly tools: FakeTools = {}) {
    super();
  }

  forSession(sessionId: string, _cwd: string, numbers: ProcessNumbers = noNumbers): FakeToolHost {
    this.numbers.set(sessionId, numbers);
    const host = new FakeToolHost(this.tools);
    this.hosts.set(sessionId, host);
    return host;
  }

  async catalog(): Promise<readonly CatalogEntry[]> {
    const names = Object.keys(this.tools).sort();
    return names.map((name) => ({
      name,
      description: this.tools[name]?.info?.description ?? `The tool ${name}`,
      source: 'fake',
      available: true,
    }));
  }

  invalidate(): void {
    return undefined;
  }

  async close(): Promise<void> {
    await Promise.all([...this.hosts.values()].map((host) => host.close()));
  }
}

const STILL_RUNNING = 'process is busy: still running';

const DEFAULT_INFO: Omit<ToolInfo, 'name' | 'description'> = {
  inputSchema: { type: 'object' },
  tier: 'hot',
  parallel: 'none',
  bypass: 'never',
  timeout: 120,
  background: false,
};

function lost(): LostConnectionError {
  return new LostConnectionError('toolsrv');
}

async function* noOutput(): AsyncGenerator<OutputPiece, void, undefined> {
  // Calls of most tests put out nothing.
}
