import { NotFoundError, PartnerError } from '#model';
import type { AgentState, ToolHost, ToolInfo } from '#model';
import { DataBuffer, ValueCell, type Client } from '#virtfs';
import type { AgentIdentity, AgentSetup } from './agent-identity.js';
import type { AgentPorts } from './agent-ports.js';
import { AgentTools } from './agent-tools.js';
import { BackendChoice } from './backend-choice.js';
import { BackgroundCalls } from './background-calls.js';
import { cfgText } from './cfg-text.js';
import { emitBlock } from './emit.js';
import { History } from './history.js';
import { processTable } from './process-table.js';
import { runPrompt } from './run-prompt.js';
import { systemPrompt } from './system-prompt.js';
import { Transcript } from './transcript.js';
import { playTurn, type TurnParts } from './turn.js';
import { TurnRunner } from './turn-runner.js';
import { UsageMeter } from './usage.js';

const MAX_PLAN_BYTES = 1024 * 1024;
const KILL_GRACE_MS = 5_000;

/**
 * One agent: its conversation, what it puts out, and the turn it is in. Its system prompt is fixed when
 * it is made. All methods may be called at any time; after `kill` whatever would start work throws
 * NotFoundError, and what can be read stays readable.
 */
export class Agent {
  readonly state = new ValueCell<AgentState>('idle');
  readonly transcript = new Transcript();
  /** At most 1 MiB. */
  readonly plan = new DataBuffer(MAX_PLAN_BYTES);
  private readonly usage = new UsageMeter();
  private readonly handTools: AgentTools;
  private readonly choice: BackendChoice;
  private readonly runner: TurnRunner;
  private action = '';
  private killing: Promise<void> | undefined;

  constructor(
    readonly identity: AgentIdentity,
    private readonly setup: AgentSetup,
    private readonly ports: AgentPorts,
    hands: ToolHost,
  ) {
    const background = new BackgroundCalls((text) => this.deliver(text), ports.log);
    this.handTools = new AgentTools(identity.id, hands, setup.profile, background);
    this.choice = new BackendChoice(ports.backends, setup);
    const parts = this.turnParts();
    this.runner = new TurnRunner(
      (prompt, signal) => playTurn(prompt, parts, signal),
      (state) => this.enter(state),
    );
  }

  get id(): string {
    return this.identity.id;
  }

  get name(): string {
    return this.identity.name;
  }

  get profileName(): string {
    return this.setup.profile.name;
  }

  get cwd(): string {
    return this.identity.cwd;
  }

  /** Empty when none is configured. */
  get backendName(): string {
    return this.choice.backendName;
  }

  get modelName(): string {
    return this.choice.modelName;
  }

  /**
   * Starts a turn, or queues it while another runs. Blank text does nothing. The state is `running` (while
   * held: `paused`) and the transcript held when this returns; with `from`, that counts as seen for the
   * client's session leader.
   */
  submit(text: string, from?: Client): void {
    this.demandAlive();
    if (text.trim() === '') return;
    this.runner.submit({ text, settle: () => undefined });
    if (from) this.state.markSeen(from);
  }

  /**
   * Runs one prompt to its end and gives the last text of the model. Rejects with PartnerError
   * `subagent: ...` when the turn fails or somebody else stops it, and with InterruptedError on abort,
   * once the turn has ended. A blank text is an IllegalInputError.
   */
  async run(text: string, signal: AbortSignal): Promise<string> {
    this.demandAlive();
    return runPrompt(this.runner, text, signal);
  }

  /** Interrupts the running turn; `ok` once it has ended and its tools were told to end, `idle` when nothing ran. The queue is kept. */
  async stop(): Promise<'ok' | 'idle'> {
    return (await this.runner.stop()) ? 'ok' : 'idle';
  }

  /**
   * Ends the agent: interrupts, state `killed`, readers released, hangs up its tool server connection. Tools
   * that have not acknowledged their end after 5 s are hung up on before. May be repeated.
   */
  kill(): Promise<void> {
    return (this.killing ??= this.end());
  }

  /** While held (session pause) no new turn starts; a running one goes on. */
  hold(held: boolean): void {
    this.runner.hold(held);
  }

  /** The loaded tools, by name; starts the tool server if need be. */
  async tools(signal: AbortSignal): Promise<readonly ToolInfo[]> {
    this.demandAlive();
    return this.handTools.list(signal);
  }

  /** The `PID TOOL CMD` table of background processes; does not start a tool server. */
  async processTable(signal: AbortSignal): Promise<string> {
    return processTable(await this.handTools.processes(signal));
  }

  /** Text of `cfg` (contract 2.8): the keys that have a source. */
  cfg(): string {
    const { identity, action, profileName, backendName: backend, modelName: model } = this;
    const { profile } = this.setup;
    const { autoLoad, params } = profile;
    return cfgText({ state: this.state.value, action, identity, profileName, backend, model, maxSteps: this.maxSteps, autoLoad, params });
  }

  /** Text of `stats` (contract 2.9): the keys that have a source. */
  stats(): string {
    return this.usage.format(this.runner.queued);
  }

  private get maxSteps(): number {
    return this.setup.maxSteps ?? this.setup.profile.maxSteps;
  }

  private turnParts(): TurnParts {
    const { usage, handTools: tools, cwd, maxSteps } = this;
    const { profile } = this.setup;
    const { clock, log } = this.ports;
    return {
      system: systemPrompt(profile.systemPrompt, { cwd, platform: process.platform, nowMs: clock.now() }),
      params: profile.params,
      history: new History(),
      maxStepsNudge: profile.maxStepsNudge,
      emit: this.transcript.write,
      act: (action) => {
        this.action = action;
      },
      choose: () => this.choice.resolve(),
      random: Math.random,
      usage,
      tools,
      cwd,
      maxSteps,
      clock,
      log,
    };
  }

  /** A turn that nobody asked for; resolves when it has ended. */
  private deliver(text: string): Promise<void> {
    return new Promise((resolve) => this.runner.add({ text, source: 'proc', settle: () => resolve() }));
  }

  private demandAlive(): void {
    if (this.killing) throw new NotFoundError('agent', this.id);
  }

  /** Held before the state says `running` and released after it says something else: a reader that acts on the state finds the logs so. */
  private enter(state: AgentState): void {
    const before = this.state.value;
    if (state === before) return;
    if (state === 'running') this.transcript.hold();
    emitBlock(this.transcript.write, 'state', `${state}\n`);
    if (state === 'killed') this.state.finish(state);
    else this.state.set(state);
    if (before === 'running') this.transcript.release();
  }

  private async end(): Promise<void> {
    const ended = this.runner.close().then(() => this.enter('killed'));
    await this.withinGrace(ended);
    await this.hangUp();
    await ended;
  }

  private async withinGrace(work: Promise<void>): Promise<void> {
    const isOver = new AbortController();
    try {
      await Promise.race([work, this.ports.clock.sleep(KILL_GRACE_MS, isOver.signal)]);
    } finally {
      isOver.abort();
    }
  }

  private async hangUp(): Promise<void> {
    try {
      await this.handTools.close();
    } catch (error) {
      if (!(error instanceof PartnerError)) throw error;
      this.ports.log.warn(`agent ${this.id}: ${error.message}`);
    }
  }
}
