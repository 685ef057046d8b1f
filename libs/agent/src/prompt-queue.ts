import type { TurnOutcome } from './turn-input.js';

const SOURCES = ['proc', 'peer', 'feed'] as const;

/** Who asks for a turn when no user does. */
export type PromptSource = (typeof SOURCES)[number];

export function isPromptSource(value: unknown): value is PromptSource {
  return SOURCES.some((source) => source === value);
}

/** A prompt that waits for its turn or has it. `settle` tells whoever asked how the turn ended. */
export interface Prompt {
  readonly text: string;
  /** Where it comes from, when no user wrote it: shown in chat.raw. */
  readonly source?: PromptSource;
  /** The process whose end it tells. */
  readonly proc?: number;
  readonly settle: (outcome: TurnOutcome) => void;
}

/** Why a queue waits for the next prompt: the turn before it was stopped, or what is in it asked for no turn. */
export type Parking = 'stopped' | 'patient' | undefined;

/** Where a prompt has its place: behind all, before all, or in the place of another. */
export type QueuePlace = 'last' | 'first' | Prompt;

/** Is told of each change of the queue before it is made. */
export interface QueueKeeper {
  /** `parked`: as it is from then on. What it throws refuses the prompt; for `first` it throws nothing. */
  queued(prompt: Prompt, place: QueuePlace, parked: Parking): void;
  left(prompt: Prompt): void;
}

/** Prompts in the order in which they came. */
export class PromptQueue {
  private readonly prompts: Prompt[] = [];

  constructor(private readonly keeper: QueueKeeper) {}

  get length(): number {
    return this.prompts.length;
  }

  get all(): readonly Prompt[] {
    return this.prompts;
  }

  push(prompt: Prompt, parked: Parking): void {
    this.keeper.queued(prompt, 'last', parked);
    this.prompts.push(prompt);
  }

  /** Before all others. */
  unshift(prompt: Prompt, parked: Parking): void {
    this.keeper.queued(prompt, 'first', parked);
    this.prompts.unshift(prompt);
  }

  /** Prompts that their keeper knows of already. */
  restore(prompts: readonly Prompt[]): void {
    this.prompts.push(...prompts);
  }

  shift(): Prompt | undefined {
    return this.prompts.shift();
  }

  /** At the place of the one from the same source, which is given back; else behind all others. */
  pushNewest(prompt: Prompt, parked: Parking): Prompt | undefined {
    const index = this.prompts.findIndex(({ source }) => source === prompt.source);
    const older = this.prompts[index];
    this.keeper.queued(prompt, older ?? 'last', parked);
    if (older) this.prompts.splice(index, 1, prompt);
    else this.prompts.push(prompt);
    return older;
  }

  /** False when it does not wait here. */
  remove(prompt: Prompt): boolean {
    const index = this.prompts.indexOf(prompt);
    if (index < 0) return false;
    this.keeper.left(prompt);
    this.prompts.splice(index, 1);
    return true;
  }
}
