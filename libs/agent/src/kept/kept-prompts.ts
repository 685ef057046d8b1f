import type { JsonObject } from '#model';
import type { Parking, Prompt, QueuePlace } from '../prompt-queue.js';
import { typed } from '../turn-runner.js';
import type { AgentJournal } from './agent-journal.js';
import { type KeptPrompt, promptForm } from './kept-prompt.js';

/** The prompts of an agent in its journal, each under a number of its own, which is never used twice. */
export class KeptPrompts {
  private readonly numbers = new WeakMap<Prompt, number>();
  private next = 0;

  constructor(private readonly journal: AgentJournal) {}

  /** The number of the next one. */
  get nextNumber(): number {
    return this.next;
  }

  restore(nextNumber: number): void {
    this.next = nextNumber;
  }

  /** What comes first is only noted: it has been kept before. */
  queued(prompt: Prompt, place: QueuePlace, parked: Parking): void {
    const form = promptForm(keptPrompt(prompt, this.next));
    const where = place === 'last' ? {} : { place: place === 'first' ? place : this.numberOf(place) };
    const record = { t: 'queued', ...form, ...where, ...(parked && { parked }) };
    if (place === 'first') this.journal.note(record);
    else this.journal.demand(record, true);
    this.numbers.set(prompt, this.next);
    this.next += 1;
  }

  left(prompt: Prompt): void {
    this.journal.note({ t: 'left', n: this.numberOf(prompt) });
  }

  /** Goes to the disk with the first message of the turn: until then it has not begun. */
  begun(prompt: Prompt): void {
    this.journal.defer({ t: 'begun', n: this.numberOf(prompt) });
  }

  /** One of an earlier process, to be queued here under the number that it has. */
  revived({ number, text, source, proc }: KeptPrompt): Prompt {
    const prompt: Prompt = { ...typed(text), ...(source && { source }), ...(proc !== undefined && { proc }) };
    this.numbers.set(prompt, number);
    return prompt;
  }

  /** -1: it was never kept. */
  numberOf(prompt: Prompt): number {
    return this.numbers.get(prompt) ?? -1;
  }

  /** As a snapshot has it. */
  form(prompt: Prompt): JsonObject {
    return promptForm(keptPrompt(prompt, this.numberOf(prompt)));
  }
}

function keptPrompt({ text, source, proc }: Prompt, number: number): KeptPrompt {
  return { number, text, source, proc };
}
