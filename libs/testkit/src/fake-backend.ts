import { AbortedError, Backend, BackendCatalog, NotFoundError } from '#model';
import type { JsonObject, ModelInfo, ModelRequest, StopReason, StreamEvent, ToolCall, Usage } from '#model';

/** What the model does with one request: answers in parts, then perhaps fails; or waits for ever after the parts. */
export interface FakeAnswer {
  readonly responseId?: string;
  readonly reasoning?: string;
  /** One delta each. */
  readonly text?: string | readonly string[];
  readonly calls?: readonly ToolCall[];
  readonly usage?: Usage;
  readonly warning?: string;
  readonly stop?: StopReason;
  /** Thrown after the text, before the calls. */
  readonly fails?: Error;
  /** The stream ends after the text without a `done`. */
  readonly breaks?: boolean;
  /** After the text, nothing comes until the request is aborted. */
  readonly hangs?: boolean;
}

/** A call as a backend yields it. */
export function fakeCall(id: string, name: string, args: JsonObject = {}): ToolCall {
  return { id, name, arguments: args, rawArguments: JSON.stringify(args) };
}

/**
 * A model for tests: answers each request with the next step of its script, and keeps the requests. A
 * step may be a function of the request. Without a step left it answers `done`. `model` is the default
 * model, null for none.
 */
export class FakeBackend extends Backend {
  readonly defaultModel: string | undefined;
  readonly requests: ModelRequest[] = [];
  /** Requests that are being answered now. */
  active = 0;
  private readonly steps: (FakeAnswer | ((request: ModelRequest) => FakeAnswer))[];

  constructor(
    steps: readonly (FakeAnswer | ((request: ModelRequest) => FakeAnswer))[] = [],
    readonly name: string = 'fake',
    model: string | null = 'fake-1',
  ) {
    super();
    this.defaultModel = model ?? undefined;
    this.steps = [...steps];
  }

  /** Adds to what it answers. */
  next(...answers: readonly FakeAnswer[]): void {
    this.steps.push(...answers);
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    this.requests.push(request);
    const step = this.steps.shift() ?? { text: 'done' };
    this.active += 1;
    try {
      yield* this.answer(typeof step === 'function' ? step(request) : step, signal);
    } finally {
      this.active -= 1;
    }
  }

  async models(_signal: AbortSignal): Promise<readonly ModelInfo[]> {
    return this.defaultModel === undefined ? [] : [{ id: this.defaultModel }];
  }

  invalidate(): void {
    return undefined;
  }

  private async *answer(answer: FakeAnswer, signal: AbortSignal): AsyncGenerator<StreamEvent> {
    for (const event of shownParts(answer)) {
      await this.tick(signal);
      yield event;
    }
    if (answer.hangs) await this.untilAborted(signal);
    await this.tick(signal);
    if (answer.fails) throw answer.fails;
    if (answer.breaks) return;
    yield* closingParts(answer);
  }

  private async tick(signal: AbortSignal): Promise<void> {
    await Promise.resolve();
    if (signal.aborted) throw this.aborted();
  }

  private untilAborted(signal: AbortSignal): Promise<never> {
    return new Promise((_resolve, reject) => {
      if (signal.aborted) reject(this.aborted());
      signal.addEventListener('abort', () => reject(this.aborted()), { once: true });
    });
  }

  private aborted(): AbortedError {
    return new AbortedError('aborted', { backend: this.name });
  }
}

function* shownParts(answer: FakeAnswer): Generator<StreamEvent> {
  if (answer.responseId !== undefined) yield { type: 'start', responseId: answer.responseId };
  if (answer.reasoning !== undefined) yield { type: 'reasoning', text: answer.reasoning };
  const deltas = typeof answer.text === 'string' ? [answer.text] : (answer.text ?? []);
  for (const text of deltas) yield { type: 'text', text };
}

function* closingParts(answer: FakeAnswer): Generator<StreamEvent> {
  for (const call of answer.calls ?? []) yield { type: 'toolCall', call };
  if (answer.warning !== undefined) yield { type: 'warning', text: answer.warning };
  if (answer.usage) yield { type: 'usage', usage: answer.usage };
  yield { type: 'done', stop: answer.stop ?? (answer.calls === undefined ? 'stop' : 'tool_calls') };
}

/** The given backends, the first of which is preferred. */
export class FakeBackendCatalog extends BackendCatalog {
  /** Of which day its prices are. */
  date: string | undefined;
  private readonly backends: readonly Backend[];

  constructor(...backends: readonly Backend[]) {
    super();
    this.backends = backends;
  }

  names(): readonly string[] {
    return this.backends.map((backend) => backend.name);
  }

  get(name: string): Backend {
    const found = this.backends.find((backend) => backend.name === name);
    if (found === undefined) throw new NotFoundError('backend', name);
    return found;
  }

  preferred(): Backend | undefined {
    return this.backends[0];
  }

  async models(signal: AbortSignal): Promise<readonly (readonly [backend: string, model: string])[]> {
    const lists = await Promise.all(
      this.backends.map(async (backend) => (await backend.models(signal)).map(({ id }) => [backend.name, id] as const)),
    );
    return lists.flat().sort((a, b) => a.join(' ').localeCompare(b.join(' ')));
  }

  override pricesDate(): string | undefined {
    return this.date;
  }

  invalidate(): void {
    for (const backend of this.backends) backend.invalidate();
  }
}
