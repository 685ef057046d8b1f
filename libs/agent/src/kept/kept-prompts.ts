import type { JsonObject } from '#model';
import type { Parking, Prompt, QueuePlace } from '../prompt-queue.js';
import type { TranscriptMark } from '../transcript-mark.js';
import { typed } from '../turn-runner.js';
import type { AgentJournal } from './agent-journal.js';
import { markForm } from './mark-form.js';
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

  /** What comes first is only noted: it has been kept before. Throws PartnerError. */
  queued(prompt: Prompt, place: QueuePlace, parked: Parking): void {
    const record = this.queuedRecord(prompt, place, parked);
    if (place === 'first') this.journal.note(record);
    else this.journal.demand(record, true);
    this.number(prompt);
  }

  /** At the end, for one that follows from what is kept: a disk that refuses it is tried again. */
  noted(prompt: Prompt, parked: Parking): void {
    this.journal.note(this.queuedRecord(prompt, 'last', parked));
    this.number(prompt);
  }

  left(prompt: Prompt): void {
    this.journal.note({ t: 'left', n: this.numberOf(prompt) });
  }

  /** Goes to the disk with the first message of the turn: until then it has not begun. */
  begun(prompt: Prompt, transcript: TranscriptMark): void {
    this.journal.defer({ t: 'begun', n: this.numberOf(prompt), transcript: markForm(transcript) });
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

  private queuedRecord(prompt: Prompt, place: QueuePlace, parked: Parking): JsonObject {
    const form = promptForm(keptPrompt(prompt, this.next));
    const where = place === 'last' ? {} : { place: place === 'first' ? place : this.numberOf(place) };
    return { t: 'queued', ...form, ...where, ...(parked && { parked }) };
  }

  private number(prompt: Prompt): void {
    this.numbers.set(prompt, this.next);
    this.next += 1;
  }
}

function keptPrompt({ text, source, proc }: Prompt, number: number): KeptPrompt {
  return { number, text, source, proc };
}
