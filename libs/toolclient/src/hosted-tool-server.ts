import { abortable, NotFoundError, ToolServer } from '#model';
import type { BackgroundProcess, OutputPiece, ToolInfo, ToolProcessInfo, ToolRequest, ToolResult } from '#model';
import { ToolsrvLostError } from './errors.js';
import type { NinePToolServer } from './ninep-tool-server.js';

/** What a HostedToolServer needs of its host. */
export interface Hands {
  /** False before the first use and after an idle stop: then nothing of ours can be running. */
  readonly isRunning: boolean;
  /** Makes a new connection for the agent, starting the tool server if need be. */
  dial(agentId: string, signal: AbortSignal): Promise<NinePToolServer>;
  /** A call is about to take the number of its process. Throws PartnerError. */
  takeNumber(): void;
  /** Runs `work`; the tool server is not stopped as idle meanwhile. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** To be waited for before a call: it may have to be approved, and who approves may just have come. */
  approvalsReady(): Promise<void> | undefined;
  /** Whatever came of it: nobody need approve it any more. */
  callEnded(agentId: string, callId: string): void;
  /** The agent has ended: its door is shut. */
  forget(agentId: string): Promise<void>;
}

/**
 * The hands of one agent for as long as the agent lives. Its connection is made on first use and made
 * again after a loss or an idle stop, with the agent's tools loaded anew: a fresh tool server knows no agent.
 * A call that is under way at a loss rejects with ToolsrvLostError and is not run twice; everything else is
 * asked again, once, because a loss between two uses is only noticed at the second.
 */
export class HostedToolServer extends ToolServer {
  private connection: Promise<NinePToolServer> | undefined;
  private readonly tools = new Set<string>();
  private readonly life = new AbortController();

  constructor(
    private readonly agentId: string,
    private readonly hands: Hands,
  ) {
    super();
  }

  /** Connects if that is not done yet. */
  async ready(signal: AbortSignal): Promise<void> {
    await this.use(() => Promise.resolve(), signal);
  }

  loaded(signal: AbortSignal): Promise<readonly ToolInfo[]> {
    return this.ask((server) => server.loaded(signal), signal);
  }

  revision(signal: AbortSignal): Promise<number> {
    return this.ask((server) => server.revision(signal), signal);
  }

  async load(tool: string, signal: AbortSignal): Promise<void> {
    await this.ask((server) => server.load(tool, signal), signal);
    this.tools.add(tool);
  }

  async unload(tool: string, signal: AbortSignal): Promise<void> {
    await this.ask((server) => server.unload(tool, signal), signal);
    this.tools.delete(tool);
  }

  async call(request: ToolRequest, signal: AbortSignal): Promise<ToolResult> {
    try {
      return await this.useForCall((server) => server.call(request, signal), signal);
    } finally {
      this.hands.callEnded(this.agentId, request.id);
    }
  }

  async *follow(callId: string, signal: AbortSignal): AsyncGenerator<OutputPiece, void, undefined> {
    const server = await abortable(this.connected(), signal);
    yield* server.follow(callId, signal);
  }

  async start(request: ToolRequest, signal: AbortSignal): Promise<BackgroundProcess | ToolResult> {
    try {
      const started = await this.useForCall((server) => server.start(request, signal), signal);
      return 'pid' in started ? this.kept(started) : started;
    } finally {
      this.hands.callEnded(this.agentId, request.id);
    }
  }

  async process(pid: number, signal: AbortSignal): Promise<BackgroundProcess> {
    const server = await abortable(this.connected(), signal);
    return server.process(pid);
  }

  async processes(signal: AbortSignal): Promise<readonly ToolProcessInfo[]> {
    return this.hands.isRunning ? this.ask((server) => server.processes(signal), signal) : [];
  }

  /** Hangs up, which cancels what is under way. Later use rejects with ToolsrvLostError. */
  async close(): Promise<void> {
    if (this.life.signal.aborted) return;
    this.life.abort(new ToolsrvLostError());
    const forgotten = this.hands.forget(this.agentId);
    const [attempt] = await Promise.allSettled([this.connection]); // one that never came needs no closing
    if (attempt.status === 'fulfilled') await attempt.value?.close();
    await forgotten;
  }

  /** While somebody waits for its end the tool server is not idle. */
  private kept(process: BackgroundProcess): BackgroundProcess {
    return {
      pid: process.pid,
      whenEnded: (signal) => this.hands.during(() => process.whenEnded(signal)),
      acknowledge: (signal) => process.acknowledge(signal),
      kill: (signal) => process.kill(signal),
      order: (order, signal) => process.order(order, signal),
      output: (range, signal) => process.output(range, signal),
      outputLength: (signal) => process.outputLength(signal),
      stat: (signal) => process.stat(signal),
    };
  }

  /** For what may be done twice. */
  private async ask<T>(work: (server: NinePToolServer) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await this.use(work, signal);
    } catch (error) {
      if (!(error instanceof ToolsrvLostError)) throw error;
      return this.use(work, signal);
    }
  }

  private useForCall<T>(work: (server: NinePToolServer) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.use(async (server) => {
      const ready = this.hands.approvalsReady();
      if (ready) await abortable(ready, signal);
      this.hands.takeNumber();
      return work(server);
    }, signal);
  }

  private use<T>(work: (server: NinePToolServer) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.hands.during(async () => {
      this.life.signal.throwIfAborted();
      return work(await abortable(this.connected(), signal));
    });
  }

  /** One attempt at a time, shared by all who wait; its end is the life of the agent, not of one caller. */
  private connected(): Promise<NinePToolServer> {
    if (this.connection) return this.connection;
    const attempt = this.connect();
    const forget = (): void => {
      if (this.connection === attempt) this.connection = undefined;
    };
    void attempt.then((server) => server.closed.then(forget), forget);
    this.connection = attempt;
    return attempt;
  }

  private async connect(): Promise<NinePToolServer> {
    const server = await this.hands.dial(this.agentId, this.life.signal);
    try {
      for (const tool of this.tools) await this.reload(server, tool);
      return server;
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  /** A tool that is no longer there is one that the agent no longer has. */
  private async reload(server: NinePToolServer, tool: string): Promise<void> {
    try {
      await server.load(tool, this.life.signal);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
      this.tools.delete(tool);
    }
  }
}
