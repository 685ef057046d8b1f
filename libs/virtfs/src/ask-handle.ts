import type { Answer } from './answer.js';
import { AnswerCursor } from './answer-cursor.js';
import { interruptible, uncancelled } from './awaitable.js';
import { InterruptedFileError } from './errors.js';
import { commitsAt, type MessageBuffer } from './message-buffer.js';
import type { Access, Call, Client, CloseReason, FileHandle, Waiter } from './types.js';

export interface Answerer {
  /** An empty request. */
  message(): MessageBuffer;
  /** Answers a request, or nothing asked; rejects with the error of a refused request. */
  answer(request: MessageBuffer | undefined, call: Call): Promise<Answer>;
  /** What is left to do for an answer that nobody reads. */
  finish(answer: Answer): Promise<void>;
}

/** One for all: nobody looks where it was made, and most answers are complete when they are let go of. */
const LET_GO = new InterruptedFileError();

interface Running {
  readonly answer: Promise<Answer>;
  readonly stop: AbortController;
}

/** One open of an ask file: one request after another, at most one answer running. */
export class AskHandle implements FileHandle {
  private readonly cursor = new AnswerCursor();
  private request: MessageBuffer | undefined;
  private running: Running | undefined;
  private opened: Answer | undefined;

  constructor(
    private readonly file: Answerer,
    private readonly access: Access,
    private readonly client: Client,
  ) {}

  async write(offset: number, data: Uint8Array): Promise<void> {
    if (data.length === 0) return;
    if (this.running) await this.giveUp();
    this.request ??= this.file.message();
    this.cursor.wrote(offset, data.length);
    this.request.add(data);
  }

  async read(offset: number, count: number, { signal }: Waiter): Promise<Uint8Array> {
    // Without a request each read at 0 is a new look.
    if (offset === 0 && !this.request) this.running = undefined;
    const { answer, stop } = (this.running ??= this.start());
    if (stop.signal.aborted) throw new InterruptedFileError();
    const place = this.cursor.locate(offset);
    const abort = () => stop.abort();
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort(); // no event comes any more
    const piece = interruptible(async () => (await answer).read(place, count), signal);
    return piece.finally(() => signal.removeEventListener('abort', abort));
  }

  async close(reason: CloseReason): Promise<void> {
    const { request, running } = this;
    await this.giveUp();
    if (running || request?.text === undefined || !commitsAt(reason, this.access)) return;
    await this.file.finish(await this.file.answer(request, { signal: uncancelled(), client: this.client }));
  }

  private start(): Running {
    const stop = new AbortController();
    const asked = this.file.answer(this.request, { signal: stop.signal, client: this.client });
    const answer = asked.then((opened) => this.keep(opened, stop));
    void Promise.allSettled([answer]); // a failure is told by reads, and may come when none is left
    return { stop, answer };
  }

  private keep(opened: Answer, stop: AbortController): Answer {
    if (!stop.signal.aborted) this.opened = opened;
    return opened;
  }

  /** Aborts the running answer, lets go of its stream, and forgets the request. */
  private async giveUp(): Promise<void> {
    const { running, opened } = this;
    this.running = this.opened = this.request = undefined;
    running?.stop.abort(LET_GO);
    await opened?.close();
  }
}
