import type { JsonObject, Message } from '#model';
import { StoreError } from '#store';
import { DataBuffer } from '#virtfs';
import { History } from '../history.js';
import type { Parking, Prompt, QueuePlace } from '../prompt-queue.js';
import type { TranscriptMark } from '../transcript-mark.js';
import type { TurnOutcome } from '../turn-input.js';
import { type KeptQueue, type TurnFacts, type TurnKeeper, typed } from '../turn-runner.js';
import { RunningTime } from '../running-time.js';
import { UsageMeter } from '../usage.js';
import { numberOf } from './kept-values.js';
import { AgentJournal, type AgentStore } from './agent-journal.js';
import { KeptProcesses } from './kept-processes.js';
import type { KeptPrompt } from './kept-prompt.js';
import { KeptPrompts } from './kept-prompts.js';
import { keptState, type KeptState } from './kept-state.js';
import { markForm } from './mark-form.js';
import { keptMessage } from './message-form.js';
import { bytesForm } from './plan-form.js';

const MAX_PLAN_BYTES = 1024 * 1024;

/** What a snapshot tells beside what the memory itself holds. */
export interface MemoryFacts {
  /** Who the agent is and what it works with; said in the journal's first record too. */
  readonly identity: () => JsonObject;
  readonly turns: () => TurnFacts;
  /** Where the transcript ends, between two blocks. */
  readonly mark: () => TranscriptMark;
  /** Hears what each answer has cost, in USD; undefined when nobody knows. */
  readonly charged: (costUSD: number | undefined) => void;
}

/** What an earlier process has left undone. */
export interface Undone {
  /** Its turn had begun and not ended. */
  readonly interrupted: KeptPrompt | undefined;
  readonly queue: KeptQueue;
}

/**
 * All of an agent that outlives its process: conversation, plan, counts, and prompts that wait or run. Of an agent that
 * was there before this process it is read when it is first needed. What cannot be written is refused with PartnerError.
 */
export class AgentMemory implements TurnKeeper {
  private readonly journal: AgentJournal;
  private readonly ownHistory = new History((message) => this.keepMessage(message));
  private readonly ownPlan: DataBuffer;
  private readonly ownUsage: UsageMeter;
  private readonly ownTime = new RunningTime();
  private readonly prompts: KeptPrompts;
  private loadedTools: readonly string[] | undefined;
  private limits: JsonObject = {};
  private readonly ownProcesses: KeptProcesses;
  private isReady = false;
  private undone: KeptState | undefined;
  private ownTurnStart: TranscriptMark | undefined;

  constructor(
    store: AgentStore | undefined,
    private readonly facts: MemoryFacts,
  ) {
    this.journal = new AgentJournal(store, facts.identity);
    this.ownUsage = new UsageMeter(facts.charged);
    this.prompts = new KeptPrompts(this.journal);
    this.ownProcesses = new KeptProcesses(this.journal);
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

  /** Where the newest turn begins in the transcript. */
  get turnStart(): TranscriptMark | undefined {
    this.ready();
    return this.ownTurnStart;
  }

  get processes(): KeptProcesses {
    this.ready();
    return this.ownProcesses;
  }

  /** What is left to do; the next call finds nothing. */
  takeUndone(): Undone {
    this.journal.wasMarked();
    this.ready();
    const { undone } = this;
    this.undone = undefined;
    const kept = (undone?.queue ?? []).map((prompt) => this.prompts.revived(prompt));
    const injected = undone?.injected === undefined ? [] : [this.revivedInjection(undone.injected)];
    const prompts = [...injected, ...kept, ...this.ownProcesses.lose().map((end) => this.endOf(end, undone?.parked))];
    return { interrupted: undone?.running, queue: { prompts, parked: undone?.parked } };
  }

  /** The turn of an earlier process is over. */
  closeInterrupted({ number }: KeptPrompt): void {
    this.journal.note({ t: 'ended', n: number, end: 'interrupted', usage: this.usageForm() });
  }

  queued(prompt: Prompt, place: QueuePlace, parked: Parking): void {
    this.ready();
    this.prompts.queued(prompt, place, parked);
    this.ownProcesses.told(prompt.proc);
  }

  left(prompt: Prompt): void {
    this.prompts.left(prompt);
  }

  begun(prompt: Prompt): void {
    this.ready();
    this.ownTurnStart = this.facts.mark();
    this.prompts.begun(prompt, this.ownTurnStart);
  }

  ended(prompt: Prompt, { end }: TurnOutcome, parked: Parking): void {
    this.journal.note({ t: 'ended', n: this.prompts.numberOf(prompt), end, ...(parked && { parked }), usage: this.usageForm() });
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
    if (this.ownProcesses.areTold) this.journal.rest();
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
    this.ownHistory.restore(state.messages, state.forgotten);
    this.ownPlan.replace(state.plan.bytes, '');
    this.ownUsage.restore(state.usage);
    this.ownTime.restore(numberOf(state.usage.wallMs));
    this.prompts.restore(state.nextNumber);
    this.loadedTools = state.loadedTools;
    this.limits = state.budget;
    this.ownProcesses.restore(state);
    this.ownTurnStart = state.transcript;
    this.undone = state;
  }

  private revivedInjection(text: string): Prompt {
    const prompt = typed(text);
    this.queued(prompt, 'first', undefined);
    return prompt;
  }

  private endOf({ text, proc }: { readonly text: string; readonly proc: number }, parked: Parking): Prompt {
    const prompt: Prompt = { ...typed(text), source: 'proc', proc };
    this.prompts.noted(prompt, parked);
    this.ownProcesses.told(proc);
    return prompt;
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
      queue: waiting.map((prompt) => this.prompts.form(prompt)),
      loadedTools: this.loadedTools ?? null,
      budget: this.limits,
      ...this.ownProcesses.form(),
      running: current ? this.prompts.form(current) : null,
      parked: parking ?? null,
      injected: injection ?? null,
      transcript: this.ownTurnStart ? markForm(this.ownTurnStart) : null,
      nextNumber: this.prompts.nextNumber,
      forgotten: this.ownHistory.firstNumber - 1,
    };
  }
}
