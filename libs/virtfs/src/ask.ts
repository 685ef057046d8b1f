import { Answer } from './answer.js';
import { AskHandle, type Answerer } from './ask-handle.js';
import { MessageBuffer } from './message-buffer.js';
import type { Access, Awaitable, Call, Client, FileBehaviour, FileHandle, FileSpec } from './types.js';
import { WriteFacts } from './write-facts.js';

export interface AskOptions<S> {
  /** Checks each complete line as it is written; throws to refuse it, and with it the message. Nothing is executed. True: what follows is free text. */
  readonly check?: (s: S, line: string) => boolean | void;
  /** What a read before any write gives (proc/list lists everything). Default: empty. */
  readonly unasked?: (s: S, call: Call) => Awaitable<string>;
  readonly usage?: readonly string[];
  /** Hears of a streamed answer that failed with nobody reading. With it, a close that commits does not wait for the stream's end. */
  readonly onUnread?: (s: S, error: unknown) => void;
}

type AnswerTo<S> = (s: S, request: string, call: Call) => Awaitable<string | AsyncIterable<string>>;

/**
 * A request is written, its answer read, on one handle. The writes are one request, answered from the
 * first read after them; a write after that begins the next request and gives up the running answer.
 * A request that nobody read takes effect at the close, except when the connection of a read-write
 * handle breaks. Interrupting a read that waits, and the close, abort the signal of the running answer;
 * the close does not wait for it. A stream that nobody began to read when its signal aborts is never
 * iterated, so rows undo on the signal. A failed answer fails its reads. Handles are independent.
 */
export function ask<S>(about: string, answer: AnswerTo<S>, options: AskOptions<S> = {}): FileSpec<S> {
  const { usage } = options;
  return { kind: 'ask', mode: 0o660, about, ...(usage && { usage }), bind: (s) => new AskFile(s, answer, options) };
}

class AskFile<S> implements FileBehaviour, Answerer {
  private readonly uses = new WriteFacts();

  constructor(
    private readonly subject: S,
    private readonly answerTo: AnswerTo<S>,
    private readonly options: AskOptions<S>,
  ) {}

  get version(): number {
    return this.uses.version;
  }

  facts() {
    return this.uses.facts();
  }

  open(access: Access, client: Client): FileHandle {
    return new AskHandle(this, access, client);
  }

  message(): MessageBuffer {
    const { check } = this.options;
    return new MessageBuffer(check && ((line) => check(this.subject, line)));
  }

  async answer(request: MessageBuffer | undefined, call: Call): Promise<Answer> {
    if (!request) return new Answer((await this.options.unasked?.(this.subject, call)) ?? '');
    const text = request.demand();
    this.uses.touch(call.client);
    return new Answer(await this.answerTo(this.subject, text, call));
  }

  async finish(answer: Answer): Promise<void> {
    const { onUnread } = this.options;
    const rest = answer.drain();
    if (onUnread) rest.catch((error: unknown) => onUnread(this.subject, error));
    else await rest;
  }
}
