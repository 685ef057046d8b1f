import { setMaxListeners } from 'node:events';
import { InterruptedError } from '#model';
import { InjectionSlot } from './injection-slot.js';
import { type Parking, type Prompt, PromptQueue, type QueueKeeper } from './prompt-queue.js';
import type { TurnOutcome } from './turn-input.js';

export type RunnerState = 'idle' | 'running' | 'paused';

/** Where a text went that was put in: to the running turn, to the queue, to a turn of its own. */
export type Injected = 'ok' | 'queued' | 'idle';

/** Is told what becomes of prompts, so that it can be known after the end of this process. */
export interface TurnKeeper extends QueueKeeper {
  begun(prompt: Prompt): void;
  ended(prompt: Prompt, outcome: TurnOutcome, parked: Parking): void;
  /** What was put into the running turn; it waits there until it is taken, or queued before all others. Throws to refuse it. */
  injected(text: string): void;
  injectionTaken(): void;
  /** Nothing runs and nothing waits. */
  idle(): void;
}

/** What a runner has and does at a moment. */
export interface TurnFacts {
  readonly waiting: readonly Prompt[];
  readonly current: Prompt | undefined;
  readonly parking: Parking;
  readonly injection: string | undefined;
}

/** What was kept of a runner. */
export interface KeptQueue {
  readonly prompts: readonly Prompt[];
  readonly parked: Parking;
}

interface RunningTurn {
  readonly prompt: Prompt;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/**
 * One turn at a time. A prompt starts its turn before `submit` returns, or waits in the queue, which is
 * drained without an idle moment between two turns. A stopped turn leaves the queue waiting; it drains
 * before the next prompt. `play` must not reject; `show` is told of every state, repeats included.
 */
export class TurnRunner {
  private readonly queue: PromptQueue;
  private readonly slot = new InjectionSlot();
  private running: RunningTurn | undefined;
  private held = false;
  private parked: Parking;
  private closed = false;

  constructor(
    private readonly play: (prompt: Prompt, signal: AbortSignal) => Promise<TurnOutcome>,
    private readonly show: (state: RunnerState) => void,
    private readonly keeper: TurnKeeper,
  ) {
    this.queue = new PromptQueue(keeper);
  }

  get queued(): number {
    return this.queue.length;
  }

  /** In the order in which they will have their turns. */
  get waiting(): readonly Prompt[] {
    return this.queue.all;
  }

  get isRunning(): boolean {
    return this.running !== undefined;
  }

  /** All that there is of it, to be kept. */
  get facts(): TurnFacts {
    return { waiting: this.queue.all, current: this.running?.prompt, parking: this.parked, injection: this.slot.pending };
  }

  /** What waited when the process before this one ended. */
  restore({ prompts, parked }: KeptQueue): void {
    this.queue.restore(prompts);
    this.parked = parked;
    this.pump();
  }

  submit(prompt: Prompt): void {
    this.queue.push(prompt, undefined);
    this.parked = undefined;
    this.pump();
  }

  /** As `submit`; one that waits from the same source gives way to this one, and has its place. */
  submitNewest(prompt: Prompt): void {
    this.queue.pushNewest(prompt, undefined)?.settle({ end: 'interrupted' });
    this.parked = undefined;
    this.pump();
  }

  /** As `submit`, for what no user wrote: a queue that waits because its turn was stopped goes on waiting. */
  add(prompt: Prompt): void {
    const parked = this.parked === 'patient' ? undefined : this.parked;
    this.queue.push(prompt, parked);
    this.parked = parked;
    this.pump();
  }

  /** Into the queue, without a turn of its own accord: an idle agent stays idle. */
  enqueue(prompt: Prompt): void {
    const parked = this.running || this.queue.length > 0 ? this.parked : (this.parked ?? 'patient');
    this.queue.push(prompt, parked);
    this.parked = parked;
  }

  /** For the next tool result of the running turn, else for a turn right after it. */
  inject(text: string): Injected {
    if (!this.running) {
      this.submit(typed(text));
      return 'idle';
    }
    if (this.slot.isTaken) {
      this.queue.push(typed(text), this.parked);
      return 'queued';
    }
    return this.rewrite(text);
  }

  /** As `inject`, in the place of what has not been given to the model yet. */
  rewrite(text: string): Injected {
    if (!this.running) return this.inject(text);
    this.keeper.injected(text);
    this.slot.replace(text);
    return 'ok';
  }

  /** What was put in and the model has not been given. */
  takeInjection(): string | undefined {
    if (this.slot.isTaken) this.keeper.injectionTaken();
    return this.slot.take();
  }

  /** Takes the oldest prompt that waits out of the queue. The end of a process stays: it is told exactly once. */
  pop(): Prompt | undefined {
    const prompt = this.queue.all.find(({ source }) => source !== 'proc');
    if (prompt) this.cancel(prompt);
    return prompt;
  }

  /** Takes a prompt back: out of the queue, or its turn is interrupted. */
  cancel(prompt: Prompt): void {
    if (this.running?.prompt === prompt) this.running.abort.abort(new InterruptedError());
    else if (this.queue.remove(prompt)) prompt.settle({ end: 'interrupted' });
    this.pump();
  }

  /** Interrupts the running turn and resolves when it has ended; false when none ran. */
  async stop(): Promise<boolean> {
    if (this.running === undefined) return false;
    this.parked = 'stopped';
    await this.interrupt(this.running);
    return true;
  }

  /** While held, no turn starts. */
  hold(held: boolean): void {
    this.held = held;
    this.pump();
  }

  /** Interrupts, refuses what waits, and starts nothing any more; resolves when nothing runs. */
  async close(): Promise<void> {
    this.closed = true;
    for (const prompt of this.queue.all) prompt.settle({ end: 'interrupted' }); // they stay: what waits may be kept for another process
    if (this.running) await this.interrupt(this.running);
  }

  private async interrupt(turn: RunningTurn): Promise<void> {
    turn.abort.abort(new InterruptedError());
    await turn.ended;
  }

  private pump(): void {
    if (this.running || this.closed) return;
    const isWaiting = this.queue.length > 0 && this.parked === undefined;
    const next = isWaiting && !this.held ? this.queue.shift() : undefined;
    if (next) this.start(next);
    else this.show(isWaiting ? 'paused' : 'idle');
    if (!this.running && this.queue.length === 0) this.keeper.idle();
  }

  private start(prompt: Prompt): void {
    const abort = new AbortController();
    setMaxListeners(0, abort.signal); // calls that run side by side have several requests under way each
    this.keeper.begun(prompt);
    this.show('running');
    // Set before `play` runs its synchronous part, which may ask this runner about itself.
    let settle = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      settle = resolve;
    });
    this.running = { prompt, abort, ended };
    void this.play(prompt, abort.signal).then((outcome) => {
      this.running = undefined;
      this.keeper.ended(prompt, outcome, this.parked);
      const rest = this.closed ? undefined : this.slot.take();
      if (rest !== undefined) this.queue.unshift(typed(rest), this.parked);
      prompt.settle(outcome);
      this.pump();
      settle();
    });
  }
}

/** A prompt for whose end nobody waits. */
export function typed(text: string): Prompt {
  return { text, settle: () => undefined };
}
