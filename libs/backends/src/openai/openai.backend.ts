import {
  AbortedError,
  Backend,
  parseJson,
  TransientError,
  type JsonValue,
  type ModelInfo,
  type ModelRequest,
  type StreamEvent,
} from '#model';
import { callsIn } from '../calls-in.js';
import { bodyText, MAX_DOCUMENT_CHARACTERS, tooLarge, wholeBody } from '../wire/body-text.js';
import { Exchange, type Patience } from '../wire/exchange.js';
import { joinedDeltas } from '../wire/joined-deltas.js';
import { isTooDeep, mayBeTooDeep } from '../wire/json-depth.js';
import { SseDecoder } from '../wire/sse.js';
import { ChatDecoder } from './decode.js';
import { modelList } from './model-list.js';
import type { OpenAIOptions } from './options.js';
import { chatBody } from './request.js';
import { OpenAITransport } from './transport.js';

const DEFAULT_PATIENCE: Patience = { idleMs: 180_000, progressMs: 600_000 };
const LIST_PATIENCE: Patience = { idleMs: 10_000, progressMs: 10_000 };
/** After the finish reason only usage and [DONE] are due; some servers send neither and stay open. */
const TAIL_MS = 5_000;
/** After [DONE] only the end is due; a connection that is read to its end can be used again. */
const CLOSE_MS = 100;

/** Chat completions. Sends each request once: whoever calls decides about retries. */
export class OpenAIBackend extends Backend {
  readonly name: string;
  readonly defaultModel: string | undefined;
  private readonly transport: OpenAITransport;
  private readonly patience: Patience;
  private listed: readonly ModelInfo[] | undefined;

  constructor(private readonly options: OpenAIOptions) {
    super();
    this.name = options.name;
    this.defaultModel = options.defaultModel;
    this.transport = new OpenAITransport(options);
    this.patience = options.patience ?? DEFAULT_PATIENCE;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent> {
    const exchange = this.open(this.patience, signal);
    try {
      const response = await this.transport.post('/chat/completions', chatBody(request), exchange);
      const decoder = new ChatDecoder({
        backend: this.name,
        secret: this.options.key,
        usedIds: new Set(callsIn(request).map(({ id }) => id)),
      });
      if (isJson(response)) yield* decoder.push(parsed(await wholeBody(response, exchange, this.name), this.name));
      else yield* this.events(response, decoder, exchange);
      yield* decoder.end();
    } finally {
      exchange.close();
    }
  }

  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    if (this.listed) return this.listed;
    const exchange = this.open(LIST_PATIENCE, signal);
    try {
      const response = await this.transport.get('/models', exchange);
      this.listed = modelList(parsed(await wholeBody(response, exchange, this.name), this.name));
      return this.listed;
    } finally {
      exchange.close();
    }
  }

  invalidate(): void {
    this.listed = undefined;
  }

  private open(patience: Patience, signal: AbortSignal): Exchange {
    if (signal.aborted) throw new AbortedError(`${this.name}: aborted`, { backend: this.name, kind: 'aborted' });
    return new Exchange(patience, signal);
  }

  /** What one piece of the body brings comes as few events. */
  private async *events(response: Response, decoder: ChatDecoder, exchange: Exchange): AsyncGenerator<StreamEvent> {
    for await (const messages of this.messages(response, decoder, exchange)) yield* joinedDeltas(this.decoded(messages, decoder, exchange));
  }

  private *decoded(messages: readonly string[], decoder: ChatDecoder, exchange: Exchange): Generator<StreamEvent> {
    for (const data of messages) {
      const before = decoder.pieces;
      if (isDone(data)) decoder.done();
      else yield* decoder.push(parsed(data, this.name));
      if (decoder.pieces > before) exchange.progress();
      if (decoder.isSettled) exchange.shorten(isDone(data) ? CLOSE_MS : TAIL_MS);
    }
  }

  /** Once the answer is settled it is complete, however the connection ends. */
  private async *messages(response: Response, decoder: ChatDecoder, exchange: Exchange): AsyncGenerator<readonly string[]> {
    const sse = new SseDecoder();
    try {
      for await (const text of bodyText(response, exchange, this.name)) {
        yield sse.push(text);
        if (sse.unfinished > MAX_DOCUMENT_CHARACTERS) throw tooLarge(this.name);
      }
    } catch (error) {
      if (!(error instanceof TransientError && decoder.isSettled)) throw error;
    }
    yield sse.end().filter(isWhole);
  }
}

function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.includes('application/json') ?? false;
}

function parsed(text: string, backend: string): JsonValue {
  const value = jsonIn(text);
  if (value === undefined) throw new TransientError(`${backend}: answer is not JSON`, { backend, kind: 'malformed' });
  if (mayBeTooDeep(text) && isTooDeep(value))
    throw new TransientError(`${backend}: answer is nested too deeply`, { backend, kind: 'malformed' });
  return value;
}

/** The last event may be cut off; what is cut is not an event. */
function isWhole(text: string): boolean {
  return isDone(text) || jsonIn(text) !== undefined;
}

function isDone(data: string): boolean {
  return data.trim() === '[DONE]';
}

function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
