import { type BackgroundProcess, commandLabel, PartnerError, type ProcessEnd, textResult, type ToolRequest, type ToolResult } from '#model';
import type { Log } from '#config';
import { AgentProcesses } from './agent-processes.js';
import type { AgentNews } from './agent-news.js';
import { completionText, LOST_EXIT } from './completion-text.js';
import type { ProcessKeeper, StartedProcess } from './kept/process-keeper.js';
import { partnerText } from './partner-text.js';

/** What becomes of the end of a process. */
export interface ProcessNotes {
  /** A process runs, whose end is to be told, be it by a later process of this program. */
  started(process: StartedProcess): void;
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
  readonly processes: AgentProcesses;
  private readonly running = new Map<BackgroundProcess, StartedProcess>();
  private readonly life = new AbortController();

  constructor(
    private readonly notes: ProcessNotes,
    private readonly log: Log,
    private readonly news: AgentNews,
    private readonly keeper: ProcessKeeper,
  ) {
    this.processes = new AgentProcesses(() => keeper.earlier());
  }

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
    const process: StartedProcess = { pid, tool: request.tool, command: cmd };
    this.notes.started(process);
    this.watch(started, process);
    return textResult(`started in the background as process ${pid}; you will be told of its end\n`);
  }

  /** Ends all that still run, and tells nobody. `isKept`: what they have put out is to be read later. Never rejects. */
  async close(signal: AbortSignal, isKept: boolean): Promise<void> {
    this.life.abort();
    const running = [...this.running];
    const killed = await Promise.allSettled(running.map(([process]) => process.kill(signal)));
    for (const one of killed) if (one.status === 'rejected') this.report(one.reason);
    if (!isKept) return;
    const kept = await Promise.allSettled(running.map(([process, started]) => this.keepCutOff(process, started, signal)));
    for (const one of kept) if (one.status === 'rejected') this.report(one.reason);
  }

  private async keepCutOff(process: BackgroundProcess, started: StartedProcess, signal: AbortSignal): Promise<void> {
    try {
      await process.whenEnded(signal);
      await this.keeper.keep(process, started, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      this.log.warn(`output of process ${started.pid} is not kept: it did not end in time`);
    }
  }

  private watch(process: BackgroundProcess, started: StartedProcess): void {
    this.processes.add(process);
    this.running.set(process, started);
    void this.tellEnd(process, started)
      .catch((error: unknown) => this.report(error))
      .finally(() => this.running.delete(process));
  }

  private async tellEnd(process: BackgroundProcess, started: StartedProcess): Promise<void> {
    const { signal } = this.life;
    const end = await this.endOf(process, started.command, signal);
    if (signal.aborted) return;
    const isLost = end.exit === LOST_EXIT;
    const kept = isLost ? this.keeper.keepLost(process, started, end.facts.output) : await this.keeper.keep(process, started, signal);
    this.processes.replace(kept);
    this.running.delete(process);
    this.news.tell('proc.exited', { pid: process.pid, exit: end.exit });
    await this.notes.ended(process.pid, completionText(process.pid, end.facts, end.exit));
    if (!signal.aborted && !isLost) await process.acknowledge(signal);
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
