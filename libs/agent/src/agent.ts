import { BusyError, GivenName, IllegalInputError, NotFoundError } from '#model';
import type { AgentState, ToolInfo, ToolProcessInfo } from '#model';
import type { Client, DataBuffer, ValueCell } from '#virtfs';
import { AgentAccount } from './agent-account.js';
import { AgentCourse } from './agent-course.js';
import { hangUp, withinGrace } from './agent-end.js';
import type { AgentIdentity, AgentSetup } from './agent-identity.js';
import { AgentConfiguration } from './agent-configuration.js';
import type { AgentPorts } from './agent-ports.js';
import { AgentQueue } from './agent-queue.js';
import { AgentSettings } from './agent-settings.js';
import type { AgentSurroundings } from './agent-surroundings.js';
import { AgentNews } from './agent-news.js';
import type { AgentProcesses } from './agent-processes.js';
import { AgentTools } from './agent-tools.js';
import { askUser } from './ask-user.js';
import { BackendChoice } from './backend-choice.js';
import { BackgroundCalls, type ProcessNotes } from './background-calls.js';
import { chargeParent } from './charge-parent.js';
import { cfgText } from './cfg-text.js';
import { ContextView } from './context-view.js';
import { type Emit, emitBlock } from './emit.js';
import { Feed } from './feed.js';
import type { AgentStore } from './kept/agent-journal.js';
import { AgentMemory } from './kept/agent-memory.js';
import { agentFacts } from './kept/agent-facts.js';
import { keptToolOffer } from './kept/kept-tool-offer.js';
import { KeptValue } from './kept/kept-value.js';
import { ProcessKeeper } from './kept/process-keeper.js';
import { reportIdle, reportInterrupted } from './kept/report-interrupted.js';
import { type PeerAgent, Peers } from './peers.js';
import { prepareHands } from './prepare-hands.js';
import { allProcesses, processTable } from './process-table.js';
import { runPrompt } from './run-prompt.js';
import { stalePrices } from './stale-prices.js';
import { StandingPrompt } from './system-prompt.js';
import { Transcript } from './transcript.js';
import { playTurn, type TurnParts } from './turn.js';
import { turnPartsFrom } from './turn-parts.js';
import { type Injected, TurnRunner, typed } from './turn-runner.js';

/**
 * One agent, as its doors see it: it makes its parts when they are first needed, joins them, and says from which call to which they
 * may be used; what a part does stands in the part's own file. Its system prompt stays the same
 * as long as its directory does. All methods may be called at any time; after `kill` whatever would start work throws
 * NotFoundError, and what can be read stays readable.
 */
export class Agent implements PeerAgent {
  readonly givenName: GivenName;
  readonly transcript: Transcript;
  readonly settings: AgentSettings;
  private madeMemory: AgentMemory | undefined;
  private madeTools: AgentTools | undefined;
  private readonly choice: BackendChoice;
  private madeRunner: TurnRunner | undefined;
  private readonly course: AgentCourse;
  private held = false;
  private readonly news: AgentNews;
  private readonly emit: Emit;
  private readonly prompt = new StandingPrompt();
  private madeAccount: AgentAccount | undefined;
  private madeFeed: Feed | undefined;
  private madePeers: Peers | undefined;
  private madeConfiguration: AgentConfiguration | undefined;
  private madeParts: TurnParts | undefined;
  private killing: Promise<void> | undefined;

  constructor(
    readonly identity: AgentIdentity,
    setup: AgentSetup,
    private readonly ports: AgentPorts,
    private readonly surroundings: AgentSurroundings,
    private readonly store?: AgentStore,
  ) {
    this.givenName = new GivenName(identity.name);
    this.transcript = new Transcript(store?.files, () => this.memory.turnStart);
    this.news = new AgentNews(ports.events, identity);
    this.emit = this.news.writing(this.transcript, () => this.memory.meter);
    this.course = new AgentCourse(this.transcript, this.emit, this.news, {
      started: () => this.begun(),
      stopped: () => this.memory.runningTime.stop(),
    });
    this.settings = new AgentSettings(identity.cwd, setup);
    this.choice = new BackendChoice(ports.backends, this.settings);
  }

  /** At most 1 MiB. */
  get plan(): DataBuffer {
    return this.memory.plan;
  }

  get state(): ValueCell<AgentState> {
    return this.course.state;
  }

  get id(): string {
    return this.identity.id;
  }

  get name(): string {
    return this.givenName.value;
  }

  get profileName(): string {
    return this.settings.profile.name;
  }

  get cwd(): string {
    return this.settings.values.cwd;
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
    if (!this.held && !this.isBusy) prepareHands(this.surroundings.hands, this.settings, this.choice);
    this.runner.submit({ text, settle: () => undefined });
    if (!from) return;
    this.state.markSeen(from);
    this.ports.events.markSeen(from);
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

  /** Gives it a turn with what another agent has written. */
  receive(text: string): void {
    this.demandAlive();
    this.runner.submit({ ...typed(text), source: 'peer' });
  }

  /** Puts a text into the running turn; an idle agent gets it as a prompt. Throws IllegalInputError for blank text. */
  inject(text: string): Injected {
    return this.runner.inject(this.injection(text));
  }

  /** As `inject`, in the place of what the model has not been given yet. */
  rewrite(text: string): Injected {
    return this.runner.rewrite(this.injection(text));
  }

  /** Forgets the conversation. Throws BusyError while a turn runs. */
  clear(): void {
    this.demandAlive();
    if (this.isBusy) throw new BusyError('agent is busy');
    this.memory.history.clear();
    this.memory.usage.forgetContext();
    emitBlock(this.emit, 'info', 'conversation cleared\n');
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
    if (!this.killing) this.madeMemory?.killed();
    return (this.killing ??= this.end());
  }

  /** As `kill`, but for another process to go on with it: what waits is kept, and nothing tells readers of an end. */
  async suspend(): Promise<void> {
    this.course.suspend();
    await (this.killing ??= this.end());
    this.madeMemory?.saveNews();
  }

  /** While held (session pause) no new turn starts; a running one goes on. */
  hold(held: boolean): void {
    this.held = held;
    this.madeRunner?.hold(held);
  }

  /** Puts a question before the user, and gives the answer. See askUser. */
  ask(text: string, signal: AbortSignal): Promise<string> {
    this.demandAlive();
    return askUser(this.ports.approvals, this, text, signal);
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

  /** The agent's background processes, by number, those included that have ended and can be read. */
  async processInfos(signal: AbortSignal): Promise<readonly ToolProcessInfo[]> {
    return allProcesses(await this.hands.processes(signal), this.memory.processes.ended);
  }

  /** Text of `cfg` (contract 2.8): the keys that have a source. */
  cfg(): string {
    const { identity, name, course, profileName, backendName: backend, modelName: model, settings } = this;
    return cfgText({ state: course.state.value, action: course.action, identity, name, profileName, backend, model, settings });
  }

  /** Text of `stats` (contract 2.9): the keys that have a source. */
  stats(): string {
    const { queued } = this.runner;
    return this.memory.usage.format({
      queued,
      estimate: () => this.context.estimate(this.systemPrompt),
      contextLength: this.configuration.contextLength,
      stalePrices: stalePrices(this.ports.backends.pricesDate(), this.ports.clock.now()),
    });
  }

  get account(): AgentAccount {
    return (this.madeAccount ??= new AgentAccount(this.memory, this.memory.runningTime));
  }

  get feed(): Feed {
    return (this.madeFeed ??= new Feed(
      () => this.settings.feed,
      (text) => this.runner.submitNewest({ ...typed(text), source: 'feed' }),
      new KeptValue(this.store?.files.feed),
    ));
  }

  get peers(): Peers {
    return (this.madePeers ??= new Peers(this, this.surroundings));
  }

  get configuration(): AgentConfiguration {
    return (this.madeConfiguration ??= new AgentConfiguration({
      settings: this.settings,
      givenName: this.givenName,
      backends: this.ports.backends,
      surroundings: this.surroundings,
      log: this.ports.log,
      isBusy: () => this.isBusy,
      madeIn: this.identity.cwd,
    }));
  }

  get queue(): AgentQueue {
    return new AgentQueue(this.runner, () => this.demandAlive());
  }

  get context(): ContextView {
    return new ContextView(this.memory.history);
  }

  /** Text of `session/idx`. */
  get sessions(): string {
    return this.surroundings.sessions();
  }

  /** Tools and processes of the agent. */
  get hands(): AgentTools {
    this.demandAlive();
    return this.handTools;
  }

  /** What has been started in the background, also of an agent that is gone. */
  get processes(): AgentProcesses {
    return this.handTools.started;
  }

  /** The system message of the next request. */
  get systemPrompt(): string {
    const { cwd } = this;
    const environment = { cwd, platform: process.platform, nowMs: this.ports.clock.now() };
    return this.prompt.of(this.settings.profile.systemPrompt, environment);
  }

  /** Goes on with what an earlier process has left undone; its running turn is reported as interrupted, and not run again. */
  wake(): void {
    const { runner } = this; // made before, because a new one finds that nothing waits, and says so
    const { interrupted, queue } = this.memory.takeUndone();
    const shown = this.transcript.resume(interrupted?.text);
    if (interrupted) reportInterrupted(interrupted, this.memory.history.messages, shown, this.emit);
    if (interrupted) this.memory.closeInterrupted(interrupted);
    if (interrupted || shown.length > 0) reportIdle(shown, this.emit);
    runner.restore(queue);
  }

  /** An agent may be killed by itself; whoever has it hears of that. */
  whenKilled(hear: () => void): void {
    this.course.whenKilled(hear);
  }

  /** Writes a snapshot of what is kept. Throws PartnerError. */
  save(): void {
    if (this.madeMemory || this.store?.files.isNew === false) this.memory.save();
  }

  /** The parts below are made when they are first needed: of many agents most are idle. */
  private get memory(): AgentMemory {
    return (this.madeMemory ??= this.makeMemory());
  }

  private get handTools(): AgentTools {
    return (this.madeTools ??= this.makeTools());
  }

  private get runner(): TurnRunner {
    return (this.madeRunner ??= this.makeRunner());
  }

  private makeMemory(): AgentMemory {
    const identity = () => agentFacts(this.identity, this.settings, this.name);
    const charged = chargeParent(this.identity, this.surroundings);
    return new AgentMemory(this.store, { identity, turns: () => this.runner.facts, mark: () => this.transcript.mark, charged });
  }

  private makeTools(): AgentTools {
    const notes: ProcessNotes = {
      started: (process) => this.memory.processes.started(process),
      ended: (pid, text) => this.deliver(pid, text),
    };
    const keeper = new ProcessKeeper(this.store?.files.outputs, () => this.memory.processes, this.ports.log);
    const background = new BackgroundCalls(notes, this.ports.log, this.news, keeper);
    return new AgentTools(this.id, this.surroundings.hands, keptToolOffer(this.settings, this.memory), background, this.news);
  }

  private makeRunner(): TurnRunner {
    const runner = new TurnRunner(
      (prompt, signal) => playTurn(prompt, (this.madeParts ??= this.turnParts()), signal),
      (state) => this.course.enter(state),
      this.memory,
    );
    if (this.held) runner.hold(true);
    return runner;
  }

  private get isBusy(): boolean {
    return this.madeRunner?.isRunning ?? false;
  }

  private injection(text: string): string {
    this.demandAlive();
    if (text.trim() === '') throw new IllegalInputError('argument', 'inject needs text');
    return text;
  }

  private turnParts(): TurnParts {
    const { memory, settings, choice, emit, handTools: tools } = this;
    const { clock, log } = this.ports;
    const act = (action: string): void => this.course.act(action);
    const takeInjection = (): string | undefined => this.runner.takeInjection();
    const systemPrompt = (): string => this.systemPrompt;
    return turnPartsFrom({ conversation: this.id, memory, settings, choice, emit, tools, clock, log, act, takeInjection, systemPrompt });
  }

  /** A turn that nobody asked for; resolves when it has ended. */
  private deliver(proc: number, text: string): Promise<void> {
    return new Promise((resolve) => this.runner.add({ text, source: 'proc', proc, settle: () => resolve() }));
  }

  private demandAlive(): void {
    if (this.killing) throw new NotFoundError('agent', this.id);
  }

  private begun(): void {
    this.memory.runningTime.start();
    this.configuration.learn();
  }

  private async end(): Promise<void> {
    this.madeFeed?.close();
    this.madeConfiguration?.close();
    const ended = this.runner.close().then(() => this.course.enter('killed'));
    await withinGrace(ended, this.ports.clock);
    await hangUp({ close: async () => this.madeTools?.close(this.course.isSuspended) }, `agent ${this.id}`, this.ports.log);
    await ended;
  }
}
