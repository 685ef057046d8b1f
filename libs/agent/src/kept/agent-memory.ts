import type { JsonObject, Message, ToolMessage } from '#model';
import { StoreError } from '#store';
import { DataBuffer } from '#virtfs';
import { completionText, LOST_EXIT } from '../completion-text.js';
import { History } from '../history.js';
import type { Parking, Prompt, QueuePlace } from '../prompt-queue.js';
import type { TurnOutcome } from '../turn-input.js';
import { type KeptQueue, type TurnFacts, type TurnKeeper, typed } from '../turn-runner.js';
import { RunningTime } from '../running-time.js';
import { UsageMeter } from '../usage.js';
import { numberOf } from './kept-values.js';
import { AgentJournal, type AgentStore } from './agent-journal.js';
import { endedForm, type EndedProcess, lostProcess, withEnded } from './ended-process.js';
import { type KeptPrompt, promptForm } from './kept-prompt.js';
import { keptState, type KeptState } from './kept-state.js';
import { keptMessage } from './message-form.js';
import { bytesForm } from './plan-form.js';
import type { EndedProcesses, StartedProcess } from './process-keeper.js';

const LOST_OUTPUT = 'the server was restarted, and the process ended with it\n';
const MAX_PLAN_BYTES = 1024 * 1024;

/** What a snapshot tells beside what the memory itself holds. */
export interface MemoryFacts {
  /** Who the agent is and what it works with; said in the journal's first record too. */
  readonly identity: () => JsonObject;
  readonly turns: () => TurnFacts;
}

/** What an earlier process has left undone. */
export interface Undone {
  /** Its turn had begun and not ended. */
  readonly interrupted: KeptPrompt | undefined;
  /** Results of that turn that nobody was shown: of calls that had none, and of those that had waited for them. */
  readonly untold: readonly ToolMessage[];
  readonly queue: KeptQueue;
}

/**
 * All of an agent that outlives its process: conversation, plan, counts, and prompts that wait or run. Of an agent that
 * was there before this process it is read when it is first needed. What cannot be written is refused with PartnerError.
 */
export class AgentMemory implements TurnKeeper, EndedProcesses {
  private readonly journal: AgentJournal;
  private readonly ownHistory = new History((message) => this.keepMessage(message));
  private readonly ownPlan: DataBuffer;
  private readonly ownUsage = new UsageMeter();
  private readonly ownTime = new RunningTime();
  private readonly numbers = new WeakMap<Prompt, number>();
  private nextNumber = 0;
  private loadedTools: readonly string[] | undefined;
  private limits: JsonObject = {};
  private processes: readonly StartedProcess[] = [];
  private exited: readonly EndedProcess[] = [];
  private isReady = false;
  private undone: KeptState | undefined;
  private untold: readonly ToolMessage[] = [];

  constructor(
    store: AgentStore | undefined,
    private readonly facts: MemoryFacts,
  ) {
    this.journal = new AgentJournal(store, facts.identity);
    this.ownPlan = new DataBuffer(MAX_PLAN_BYTES, {
      write: (at, bytes) => this.keepPlan(() => ({ at, bytes: bytesForm(bytes) })),
      truncate: (length) => this.keepPlan(() => ({ length })),
    });
  }

  get history(): History {
    this.ready();
    return this.ownHistory;
  }

  /** At most 1 MiB. */
  get plan(): DataBuffer {
    this.ready();
    return this.ownPlan;
  }

  get usage(): UsageMeter {
    this.ready();
    return this.ownUsage;
  }

  /** For how long turns have run. */
  get runningTime(): RunningTime {
    this.ready();
    return this.ownTime;
  }

  /** The same meter, which may not have been told yet what earlier processes have counted. */
  get meter(): UsageMeter {
    return this.ownUsage;
  }

  /** The tools that were loaded by command; undefined: those of the profile. */
  get tools(): readonly string[] | undefined {
    this.ready();
    return this.loadedTools;
  }

  get budget(): JsonObject {
    this.ready();
    return this.limits;
  }

  get endedProcesses(): readonly EndedProcess[] {
    this.ready();
    return this.exited;
  }

  /** What is left to do; the next call finds nothing. */
  takeUndone(): Undone {
    this.journal.wasMarked();
    this.ready();
    const { undone, untold } = this;
    this.undone = undefined;
    this.untold = [];
    const kept = (undone?.queue ?? []).map((prompt) => this.revived(prompt));
    const injected = undone?.injected === undefined ? [] : [this.revivedInjection(undone.injected)];
    const prompts = [...injected, ...kept, ...this.processes.map((process) => this.endOf(process, undone?.parked))];
    return { interrupted: undone?.running, untold, queue: { prompts, parked: undone?.parked } };
  }

  /** The turn of an earlier process is over. */
  closeInterrupted({ number }: KeptPrompt): void {
    this.journal.note({ t: 'ended', n: number, end: 'interrupted', usage: this.usageForm() });
  }

  queued(prompt: Prompt, place: QueuePlace, parked: Parking): void {
    this.ready();
    const number = this.nextNumber;
    const form = promptForm(keptPrompt(prompt, number));
    const where = place === 'last' ? {} : { place: place === 'first' ? place : this.numberOf(place) };
    const record = { t: 'queued', ...form, ...where, ...(parked && { parked }) };
    if (place === 'first') this.journal.note(record);
    else this.journal.demand(record, true);
    this.processes = this.processes.filter(({ pid }) => pid !== prompt.proc);
    this.nextNumber += 1;
    this.numbers.set(prompt, number);
  }

  left(prompt: Prompt): void {
    this.journal.note({ t: 'left', n: this.numberOf(prompt) });
  }

  /** Goes to the disk with the first message of the turn: until then it has not begun. */
  begun(prompt: Prompt): void {
    this.journal.defer({ t: 'begun', n: this.numberOf(prompt) });
  }

  ended(prompt: Prompt, { end }: TurnOutcome, parked: Parking): void {
    this.journal.note({ t: 'ended', n: this.numberOf(prompt), end, ...(parked && { parked }), usage: this.usageForm() });
    this.journal.renewSnapshot(() => this.snapshot());
    this.journal.settle();
  }

  injected(text: string): void {
    this.ready();
    this.journal.demand({ t: 'injected', text });
  }

  /** Goes to the disk with the tool result that the model hears it with. */
  injectionTaken(): void {
    this.journal.defer({ t: 'injected' });
  }

  idle(): void {
    if (this.processes.length === 0) this.journal.rest();
  }

  /** Its end is to be told, also when this process does not live to see it. */
  processStarted({ pid, tool, command }: StartedProcess): void {
    this.ready();
    this.processes = [...this.processes, { pid, tool, command }];
    this.journal.note({ t: 'started', pid, tool, command });
  }

  /** Goes to the disk with the prompt that tells of it: until then it is one that has not ended. */
  processEnded(process: EndedProcess): void {
    this.ready();
    this.journal.defer({ t: 'exited', ...endedForm(process) });
    this.exited = withEnded(this.exited, process);
  }

  /** Nobody is to read of it any more. */
  processForgotten(pid: number): void {
    this.ready();
    this.journal.note({ t: 'dismissed', pid });
    this.exited = this.exited.filter((one) => one.pid !== pid);
  }

  /** From now on these tools are loaded. */
  keepTools(loaded: readonly string[]): void {
    this.ready();
    this.journal.demand({ t: 'tools', loaded });
    this.loadedTools = loaded;
  }

  /** From now on these limits hold. */
  keepBudget(limits: JsonObject): void {
    this.ready();
    this.journal.demand({ t: 'budget', limits });
    this.limits = limits;
  }

  /** The agent does not come back. */
  killed(): void {
    this.journal.note({ t: 'killed' });
    this.journal.rest();
  }

  /** Writes a snapshot where the last one does not say all. Throws PartnerError. */
  save(): void {
    this.ready();
    if (this.journal.isBehind) this.journal.snapshot(() => this.snapshot());
  }

  /** The same where something happened in this process: what was only read stays as it is. */
  saveNews(): void {
    if (this.journal.hasNews) this.save();
  }

  private ready(): void {
    if (this.isReady) return;
    const kept = this.journal.load();
    if (kept) this.take(keptState(kept, this.journal.blobs));
    this.isReady = true;
    if (kept?.isDamaged) this.journal.trySnapshot(() => this.snapshot());
  }

  private take(state: KeptState): void {
    this.untold = this.ownHistory.restore(state.messages, state.forgotten);
    this.ownPlan.replace(state.plan.bytes, '');
    this.ownUsage.restore(state.usage);
    this.ownTime.restore(numberOf(state.usage.wallMs));
    this.nextNumber = state.nextNumber;
    this.loadedTools = state.loadedTools;
    this.limits = state.budget;
    this.processes = state.processes;
    this.exited = state.ended;
    this.undone = state;
  }

  private revived({ number, text, source, proc }: KeptPrompt): Prompt {
    const prompt: Prompt = { ...typed(text), ...(source && { source }), ...(proc !== undefined && { proc }) };
    this.numbers.set(prompt, number);
    return prompt;
  }

  private revivedInjection(text: string): Prompt {
    const prompt = typed(text);
    this.queued(prompt, 'first', undefined);
    return prompt;
  }

  /** It ended with the process that had started it. */
  private endOf(process: StartedProcess, parked: Parking): Prompt {
    const { pid, command } = process;
    if (!this.exited.some((one) => one.pid === pid)) this.processEnded(lostProcess(process, LOST_OUTPUT));
    const facts = { exitCode: 0, command, output: LOST_OUTPUT, isWhole: true };
    const prompt: Prompt = { ...typed(completionText(pid, facts, LOST_EXIT)), source: 'proc', proc: pid };
    this.queued(prompt, 'last', parked);
    return prompt;
  }

  private numberOf(prompt: Prompt): number {
    return this.numbers.get(prompt) ?? -1;
  }

  private keepPlan(change: () => JsonObject): void {
    if (this.isReady) this.journal.demand({ t: 'plan', ...change() });
  }

  /** A result is only noted: its call has had its effects. */
  private keepMessage(message: Message | undefined): void {
    if (!this.journal.isKept) return;
    if (message === undefined)
      return this.journal.demand({ t: 'cleared', forgotten: this.ownHistory.firstNumber - 1 + this.ownHistory.length });
    if (message.role !== 'tool') return this.journal.demand(this.messageRecord(message));
    this.journal.note(this.messageRecord(message));
    if (!this.ownHistory.hasUnanswered) this.journal.renewSnapshot(() => this.snapshot());
  }

  private usageForm(): JsonObject {
    return { ...this.ownUsage.kept(), wallMs: Math.round(this.ownTime.total) };
  }

  private messageRecord(message: Message): JsonObject {
    const usage = message.role === 'assistant' ? { usage: this.usageForm() } : {};
    return { t: 'message', m: this.form(message), ...usage };
  }

  /** With its large parts inside where they cannot be kept apart. */
  private form(message: Message): JsonObject {
    try {
      return keptMessage(message, this.journal.blobs);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      return keptMessage(message, undefined);
    }
  }

  /** First what the seeds name. */
  private snapshot(): JsonObject {
    const { waiting, current, parking, injection } = this.facts.turns();
    const { id, agent, ...rest } = this.facts.identity();
    return {
      id: id ?? null,
      agent: agent ?? null,
      messages: this.ownHistory.kept.map((message) => this.form(message)),
      taskState: {},
      ...rest,
      plan: bytesForm(this.ownPlan.bytes),
      usage: this.usageForm(),
      queue: waiting.map((prompt) => this.waitingForm(prompt)),
      loadedTools: this.loadedTools ?? null,
      budget: this.limits,
      processes: this.processes.map(({ pid, tool, command }) => ({ pid, tool, command })),
      ended: this.exited.map(endedForm),
      running: current ? this.waitingForm(current) : null,
      parked: parking ?? null,
      injected: injection ?? null,
      nextNumber: this.nextNumber,
      forgotten: this.ownHistory.firstNumber - 1,
    };
  }

  private waitingForm(prompt: Prompt): JsonObject {
    return promptForm(keptPrompt(prompt, this.numberOf(prompt)));
  }
}

function keptPrompt({ text, source, proc }: Prompt, number: number): KeptPrompt {
  return { number, text, source, proc };
}
