import { type BackgroundProcess, commandLabel, PartnerError, type ProcessEnd, textResult, type ToolRequest, type ToolResult } from '#model';
import type { Log } from '#config';
import { AgentProcesses } from './agent-processes.js';
import type { AgentNews } from './agent-news.js';
import { completionText, LOST_EXIT } from './completion-text.js';
import { partnerText } from './partner-text.js';

/** What becomes of the end of a process. */
export interface ProcessNotes {
  /** A process runs, whose end is to be told, be it by a later process of this program. */
  started(pid: number, command: string): void;
  /** Puts its end into the conversation as a turn of its own; resolves when that turn has ended. */
  ended(pid: number, text: string): Promise<void>;
}

/** Starts a call in the background. */
export type Start = (request: ToolRequest, signal: AbortSignal) => Promise<BackgroundProcess | ToolResult>;

/**
 * The background processes of one agent. The end of each is told to the agent exactly once, and then acknowledged;
 * the end of the connection to its tool server is its end too.
 */
export class BackgroundCalls {
  /** All that were started, as long as they are known. */
  readonly processes = new AgentProcesses();
  private readonly running = new Set<BackgroundProcess>();
  private readonly life = new AbortController();

  constructor(
    private readonly notes: ProcessNotes,
    private readonly log: Log,
    private readonly news: AgentNews,
  ) {}

  /** Starts a call; the result says under which number it runs, or why it does not. */
  async start(start: Start, request: ToolRequest, signal: AbortSignal): Promise<ToolResult> {
    const started = await start(request, signal);
    if (!('pid' in started)) return started;
    const { pid } = started;
    if (this.life.signal.aborted) {
      await started.kill(new AbortController().signal);
      return textResult('cancelled', true);
    }
    const cmd = commandLabel('', request.tool, request.arguments);
    this.news.tell('proc.started', { pid, tool: request.tool, cmd });
    this.notes.started(pid, cmd);
    this.watch(started, cmd);
    return textResult(`started in the background as process ${pid}; you will be told of its end\n`);
  }

  /** Ends all that still run, and tells nobody. Never rejects. */
  async close(signal: AbortSignal): Promise<void> {
    this.life.abort();
    const killed = await Promise.allSettled([...this.running].map((process) => process.kill(signal)));
    for (const one of killed) if (one.status === 'rejected') this.report(one.reason);
  }

  private watch(process: BackgroundProcess, command: string): void {
    this.processes.add(process);
    this.running.add(process);
    void this.tellEnd(process, command)
      .catch((error: unknown) => this.report(error))
      .finally(() => this.running.delete(process));
  }

  private async tellEnd(process: BackgroundProcess, command: string): Promise<void> {
    const { signal } = this.life;
    const end = await this.endOf(process, command, signal);
    if (signal.aborted) return;
    this.news.tell('proc.exited', { pid: process.pid, exit: end.exit });
    await this.notes.ended(process.pid, completionText(process.pid, end.facts, end.exit));
    if (!signal.aborted && end.exit !== LOST_EXIT) await process.acknowledge(signal);
  }

  private async endOf(
    process: BackgroundProcess,
    command: string,
    signal: AbortSignal,
  ): Promise<{ readonly facts: ProcessEnd; readonly exit: string }> {
    try {
      const facts = await process.whenEnded(signal);
      return { facts, exit: String(facts.exitCode) };
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      return { facts: { exitCode: 0, command, output: `${partnerText(error)}\n`, isWhole: true }, exit: LOST_EXIT };
    }
  }

  private report(error: unknown): void {
    if (error === this.life.signal.reason || error instanceof PartnerError) this.log.debug(`background process: ${String(error)}`);
    else this.log.error(`background process: ${String(error)}`);
  }
}
