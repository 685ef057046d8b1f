import { escapeField } from '#model';
import type { QueueSource } from '#virtfs';
import { typed, type TurnRunner } from './turn-runner.js';

/** What waits for its turn, as a person sees and changes it. */
export class AgentQueue implements QueueSource {
  constructor(
    private readonly runner: TurnRunner,
    private readonly demandAlive: () => void,
  ) {}

  /** Waits for its turn, without one trailing newline, and asks for none: an idle agent stays idle. Blank text does nothing. */
  push(text: string): void {
    this.demandAlive();
    if (text.trim() !== '') this.runner.enqueue(typed(text.replace(/\n$/, '')));
  }

  /** The oldest prompt, which then has no turn; undefined when none waits. The end of a process is not given away. */
  pop(): string | undefined {
    return this.runner.pop()?.text;
  }

  /** All that `pop` would give. */
  clear(): void {
    while (this.runner.pop() !== undefined);
  }

  /** One line a prompt: its place, who asks, what for. */
  lines(): string {
    return this.runner.waiting
      .map(({ text, source }, index) => `${String(index + 1)}\t${source ?? 'user'}\t${escapeField(text)}\n`)
      .join('');
  }
}
