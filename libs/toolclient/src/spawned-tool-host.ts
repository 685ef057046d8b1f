import { abortable, type EventSubject, PartnerError, type ProcessNumbers, ToolHost } from '#model';
import type { ToolServer } from '#model';
import { ApprovalLink } from './approval-link.js';
import { ToolsrvLostError } from './errors.js';
import { type Hands, HostedToolServer } from './hosted-tool-server.js';
import { IdleTimer } from './idle-timer.js';
import type { AgentScope, NinePToolServer } from './ninep-tool-server.js';
import { ProcessCounter } from './process-counter.js';
import type { ToolsrvLaunch } from './toolsrv-launch.js';
import { ToolsrvProcess } from './toolsrv-process.js';

/** What a host works for. `id` may be empty: hands without a session, for discovery. */
export interface HandsOf {
  readonly id: string;
  readonly cwd: string;
  readonly numbers: ProcessNumbers;
}

/**
 * The local hands of one session: one toolsrv process, started at the first need, stopped when it was
 * idle for `launch.idleMs` and runs no process, and started again at the next need.
 */
export class SpawnedToolHost extends ToolHost implements Hands {
  private server: Promise<ToolsrvProcess> | undefined;
  private stopping: Promise<void> | undefined;
  private running = false;
  private readonly counter: ProcessCounter;
  private readonly agents = new Map<string, HostedToolServer>();
  private readonly connections = new Set<NinePToolServer>();
  private readonly life = new AbortController();
  private readonly idle: IdleTimer;
  private approvals: ApprovalLink | undefined;

  constructor(
    private readonly session: HandsOf,
    private readonly launch: ToolsrvLaunch,
    private readonly whenClosed: () => void = () => undefined,
  ) {
    super();
    this.counter = new ProcessCounter(session.numbers);
    this.idle = new IdleTimer(launch.idleMs, () => void this.stopIfUnused());
  }

  get isRunning(): boolean {
    return this.running;
  }

  prepare(): void {
    void this.idle.during(() => Promise.allSettled([this.started()]));
  }

  /** The agent's hands, always the same object for one id until it is closed. */
  async connect(agentId: string, signal: AbortSignal): Promise<ToolServer> {
    const agent = this.agents.get(agentId) ?? new HostedToolServer(agentId, this);
    this.agents.set(agentId, agent);
    await Promise.all([agent.ready(signal), this.launch.doors?.open(agentId)]);
    return agent;
  }

  async dial(agentId: string, signal: AbortSignal): Promise<NinePToolServer> {
    const connection = await this.reach({ agentId, sessionId: this.session.id }, signal);
    this.connections.add(connection);
    void connection.closed.then(() => this.connections.delete(connection));
    return connection;
  }

  takeNumber(): void {
    this.counter.take();
  }

  during<T>(work: () => Promise<T>): Promise<T> {
    return this.idle.during(work);
  }

  approvalsReady(): Promise<void> | undefined {
    return this.approvals?.ready();
  }

  callEnded(agentId: string, callId: string): void {
    this.approvals?.withdraw(agentId, callId);
  }

  async forget(agentId: string): Promise<void> {
    this.agents.delete(agentId);
    await this.launch.doors?.close(agentId);
  }

  async close(): Promise<void> {
    this.life.abort(new ToolsrvLostError());
    this.idle.stop();
    await Promise.all([this.stopServer(), ...[...this.agents.keys()].map((agentId) => this.forget(agentId))]);
    this.whenClosed();
    this.freeNumbers();
  }

  /** Where that cannot be kept, the next server leaves out more numbers than it need. */
  private freeNumbers(): void {
    try {
      this.counter.close();
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      this.launch.log.warn(`session ${this.session.id}: ${error.message}`);
    }
  }

  /** A server that is ending refuses connections before its end is known here: then the next one is asked, once. */
  private async reach(scope: AgentScope, signal: AbortSignal): Promise<NinePToolServer> {
    const server = await abortable(this.started(), signal);
    try {
      return await server.connect(scope, signal);
    } catch (error) {
      if (!(error instanceof ToolsrvLostError)) throw error;
      if ((await this.server) === server) await this.stopServer();
      const next = await abortable(this.started(), signal);
      return next.connect(scope, signal);
    }
  }

  private started(): Promise<ToolsrvProcess> {
    if (this.server) return this.server;
    const attempt = this.start();
    this.server = attempt;
    void attempt.then(
      (server) => this.watch(attempt, server),
      () => this.isCurrent(attempt) && this.noServer(),
    );
    return attempt;
  }

  private async start(): Promise<ToolsrvProcess> {
    if (this.stopping) await this.stopping; // else the process is there when this returns: whoever prepares has work to do meanwhile
    this.life.signal.throwIfAborted();
    const server = await ToolsrvProcess.start({ cwd: this.session.cwd, lastProcess: this.counter.last }, this.launch, this.life.signal);
    await this.linkToDesk(server);
    return server;
  }

  /** Before the first call comes, which may be one that has to be approved. */
  private async linkToDesk(server: ToolsrvProcess): Promise<void> {
    const { desk, log } = this.launch;
    if (!desk) return;
    const link = new ApprovalLink(server, { session: this.session.id, desk, log });
    this.approvals = link;
    void server.exited.then(() => link.close());
    await link.ready();
  }

  private get subject(): EventSubject {
    return this.session.id === '' ? {} : { session: this.session.id };
  }

  /** One that was stopped by us, or overtaken by the next, is no longer current when it ends. */
  private async watch(attempt: Promise<ToolsrvProcess>, server: ToolsrvProcess): Promise<void> {
    if (!this.isCurrent(attempt)) return;
    this.running = true;
    this.launch.events?.publish('toolsrv.connected', this.subject, { pid: server.pid ?? 0 });
    const how = await server.exited;
    if (!this.isCurrent(attempt)) return;
    this.noServer();
    this.launch.events?.publish('toolsrv.lost', this.subject, { how });
    this.launch.log.warn(`toolsrv of session ${this.session.id} ${how}`);
  }

  private isCurrent(attempt: Promise<ToolsrvProcess>): boolean {
    return this.server === attempt;
  }

  private noServer(): void {
    this.server = undefined;
    this.running = false;
  }

  private async stopIfUnused(): Promise<void> {
    const [connection] = this.connections;
    if (connection && (await this.hasProcesses(connection))) this.idle.restart();
    else if (!this.idle.isActive) await this.stopServer();
  }

  /** A connection that is lost has nothing to keep a server for. */
  private async hasProcesses(connection: NinePToolServer): Promise<boolean> {
    try {
      return await connection.isBusy(this.life.signal);
    } catch (error) {
      this.launch.log.warn(`toolsrv of session ${this.session.id}: ${String(error)}`);
      return false;
    }
  }

  private async stopServer(): Promise<void> {
    const { server } = this;
    this.noServer();
    if (server) this.stopping = this.stop(server);
    await this.stopping;
  }

  /** A start that fails has cleaned up after itself. */
  private async stop(starting: Promise<ToolsrvProcess>): Promise<void> {
    const [attempt] = await Promise.allSettled([starting]);
    if (attempt.status === 'fulfilled') await attempt.value.stop();
  }
}
