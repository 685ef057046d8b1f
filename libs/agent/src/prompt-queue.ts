import type { TurnOutcome } from './turn-input.js';

/** A prompt that waits for its turn or has it. `settle` tells whoever asked how the turn ended. */
export interface Prompt {
  readonly text: string;
  /** Where it comes from, when no user wrote it: shown in chat.raw. */
  readonly source?: 'proc';
  readonly settle: (outcome: TurnOutcome) => void;
}

/** Prompts in the order in which they came. */
export class PromptQueue {
  private readonly prompts: Prompt[] = [];

  get length(): number {
    return this.prompts.length;
  }

  push(prompt: Prompt): void {
    this.prompts.push(prompt);
  }

  shift(): Prompt | undefined {
    return this.prompts.shift();
  }

  /** False when it does not wait here. */
  remove(prompt: Prompt): boolean {
    const index = this.prompts.indexOf(prompt);
    if (index >= 0) this.prompts.splice(index, 1);
    return index >= 0;
  }
}
