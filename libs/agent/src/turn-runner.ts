import { InterruptedError } from '#model';
import { PromptQueue, type Prompt } from './prompt-queue.js';
import type { TurnOutcome } from './turn-input.js';

export type RunnerState = 'idle' | 'running' | 'paused';

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
  private readonly queue = new PromptQueue();
  private running: RunningTurn | undefined;
  private held = false;
  /** The queue waits for the next prompt, because the turn before it was stopped. */
  private parked = false;
  private closed = false;

  constructor(
    private readonly play: (prompt: Prompt, signal: AbortSignal) => Promise<TurnOutcome>,
    private readonly show: (state: RunnerState) => void,
  ) {}

  get queued(): number {
    return this.queue.length;
  }

  submit(prompt: Prompt): void {
    this.queue.push(prompt);
    this.parked = false;
    this.pump();
  }

  /** As `submit`, for what no user wrote: a queue that waits because its turn was stopped goes on waiting. */
  add(prompt: Prompt): void {
    this.queue.push(prompt);
    this.pump();
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
    this.parked = true;
    this.running.abort.abort(new InterruptedError());
    await this.running.ended;
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
    for (let prompt = this.queue.shift(); prompt; prompt = this.queue.shift()) prompt.settle({ end: 'interrupted' });
    await this.stop();
  }

  private pump(): void {
    if (this.running || this.closed) return;
    const isWaiting = this.queue.length > 0 && !this.parked;
    const next = isWaiting && !this.held ? this.queue.shift() : undefined;
    if (next) this.start(next);
    else this.show(isWaiting ? 'paused' : 'idle');
  }

  private start(prompt: Prompt): void {
    const abort = new AbortController();
    this.show('running');
    // Set before `play` runs its synchronous part, which may ask this runner about itself.
    let settle = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      settle = resolve;
    });
    this.running = { prompt, abort, ended };
    void this.play(prompt, abort.signal).then((outcome) => {
      this.running = undefined;
      prompt.settle(outcome);
      this.pump();
      settle();
    });
  }
}
