import { isJsonObject, type JsonObject, type JsonValue, type Message } from '#model';
import type { BlobStore, KeptAgent } from '#store';
import { DataBuffer } from '#virtfs';
import type { Parking } from '../prompt-queue.js';
import type { TranscriptMark } from '../transcript-mark.js';
import { type EndedProcess, endedOf, withEnded } from './ended-process.js';
import { type KeptPrompt, promptOf } from './kept-prompt.js';
import { markOf } from './mark-form.js';
import { isList, listOf, numberOf, textOf } from './kept-values.js';
import { messageOf } from './message-form.js';
import { bytesOf, changePlan } from './plan-form.js';
import type { StartedProcess } from './process-keeper.js';

/** What an agent was when it was last heard of. */
export interface KeptState {
  readonly messages: readonly Message[];
  /** How many messages before those were forgotten. */
  readonly forgotten: number;
  readonly plan: DataBuffer;
  /** As UsageMeter.kept gives it. */
  readonly usage: JsonObject;
  /** Waits for its turn, oldest first. */
  readonly queue: readonly KeptPrompt[];
  /** Has begun its turn and not ended it. */
  readonly running: KeptPrompt | undefined;
  readonly parked: Parking;
  /** Was put into the running turn, and the model has not been given it. */
  readonly injected: string | undefined;
  /** Above every number that was given to a prompt. */
  readonly nextNumber: number;
  /** Where the newest turn begins in the transcript. */
  readonly transcript: TranscriptMark | undefined;
  readonly loadedTools: readonly string[] | undefined;
  /** Limits as they were written. */
  readonly budget: JsonObject;
  /** Background processes whose end has not been told. */
  readonly processes: readonly StartedProcess[];
  /** Those that have ended and can still be read, in the order of their ends. */
  readonly ended: readonly EndedProcess[];
}

/** Puts the state together from a snapshot and what came after it. What is of no form that is known is passed over. */
export function keptState({ snapshot = {}, records }: KeptAgent, blobs: BlobStore | undefined): KeptState {
  const state = new Replay(snapshot, blobs);
  for (const record of records) state.take(record);
  return state;
}

class Replay implements KeptState {
  readonly messages: Message[];
  forgotten: number;
  readonly plan = new DataBuffer(Infinity);
  usage: JsonObject;
  queue: readonly KeptPrompt[];
  running: KeptPrompt | undefined;
  parked: Parking;
  injected: string | undefined;
  nextNumber: number;
  transcript: TranscriptMark | undefined;
  loadedTools: readonly string[] | undefined;
  budget: JsonObject;
  processes: readonly StartedProcess[];
  ended: readonly EndedProcess[];

  private readonly takers: ReadonlyMap<string, (record: JsonObject) => void> = new Map([
    ['queued', (record) => this.takeQueued(record)],
    ['begun', (record) => this.takeBegun(record)],
    ['left', ({ n }) => this.takeLeft(numberOf(n))],
    ['injected', ({ text }) => void (this.injected = injectionOf(text))],
    ['message', (record) => this.takeMessage(record)],
    ['ended', (record) => this.takeEnded(record)],
    ['cleared', ({ forgotten }) => this.takeCleared(numberOf(forgotten))],
    ['plan', (record) => changePlan(this.plan, record)],
    ['budget', ({ limits }) => void (this.budget = isJsonObject(limits) ? limits : {})],
    ['started', (record) => void (this.processes = [...this.processes, processOf(record)])],
    ['exited', (record) => void (this.ended = withEnded(this.ended, endedOf(record)))],
    ['dismissed', ({ pid }) => void (this.ended = this.ended.filter((one) => one.pid !== pid))],
    ['tools', ({ loaded }) => void (this.loadedTools = namesOf(loaded))],
  ]);

  constructor(
    snapshot: JsonObject,
    private readonly blobs: BlobStore | undefined,
  ) {
    this.messages = listOf(snapshot.messages).flatMap((kept) => messageOf(kept, blobs) ?? []);
    this.forgotten = numberOf(snapshot.forgotten);
    this.plan.replace(bytesOf(snapshot.plan), '');
    this.usage = isJsonObject(snapshot.usage) ? snapshot.usage : {};
    this.queue = listOf(snapshot.queue).flatMap((kept) => promptOf(kept) ?? []);
    this.running = promptOf(snapshot.running);
    this.parked = parkingOf(snapshot.parked);
    this.injected = injectionOf(snapshot.injected);
    this.nextNumber = numberOf(snapshot.nextNumber);
    this.transcript = markOf(snapshot.transcript);
    this.loadedTools = namesOf(snapshot.loadedTools);
    this.budget = isJsonObject(snapshot.budget) ? snapshot.budget : {};
    this.processes = listOf(snapshot.processes).flatMap((kept) => (isJsonObject(kept) ? [processOf(kept)] : []));
    this.ended = listOf(snapshot.ended).flatMap((kept) => (isJsonObject(kept) ? [endedOf(kept)] : []));
  }

  /** A record of a kind that is not known says nothing. */
  take(record: JsonObject): void {
    this.takers.get(textOf(record.t))?.(record);
  }

  private takeQueued(record: JsonObject): void {
    const prompt = promptOf(record);
    if (!prompt) return;
    if (record.place === 'first') {
      this.queue = [prompt, ...this.queue];
      this.injected = undefined;
    } else if (this.queue.some(({ number }) => number === record.place)) {
      this.queue = this.queue.map((other) => (other.number === record.place ? prompt : other));
    } else this.queue = [...this.queue, prompt];
    this.processes = this.processes.filter(({ pid }) => pid !== prompt.proc);
    this.nextNumber = Math.max(this.nextNumber, prompt.number + 1);
    this.parked = parkingOf(record.parked);
  }

  private takeLeft(left: number): void {
    this.queue = this.queue.filter(({ number }) => number !== left);
  }

  private takeCleared(forgotten: number): void {
    this.messages.length = 0;
    this.forgotten = forgotten;
  }

  private takeBegun({ n, transcript }: JsonObject): void {
    this.running = this.queue.find(({ number }) => number === n);
    this.queue = this.queue.filter(({ number }) => number !== n);
    this.transcript = markOf(transcript);
  }

  private takeMessage(record: JsonObject): void {
    const message = messageOf(record.m, this.blobs);
    if (message) this.messages.push(message);
    if (isJsonObject(record.usage)) this.usage = record.usage;
  }

  private takeEnded(record: JsonObject): void {
    this.running = undefined;
    this.parked = parkingOf(record.parked);
    if (isJsonObject(record.usage)) this.usage = record.usage;
  }
}

function processOf({ pid, tool, command }: JsonObject): StartedProcess {
  return { pid: numberOf(pid), tool: textOf(tool), command: textOf(command) };
}

function parkingOf(value: JsonValue | undefined): Parking {
  return value === 'stopped' || value === 'patient' ? value : undefined;
}

function injectionOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function namesOf(value: JsonValue | undefined): readonly string[] | undefined {
  return isList(value) ? value.filter((name) => typeof name === 'string') : undefined;
}
