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
import { MAX_DOCUMENT_CHARACTERS, readText, tooLarge, wholeBody } from '../wire/body-text.js';
import { Exchange, type Patience } from '../wire/exchange.js';
import type { HttpResponse } from '../wire/http-response.js';
import { addJoined } from '../wire/joined-deltas.js';
import { isTooDeep, mayBeTooDeep } from '../wire/json-depth.js';
import { OneByOne } from '../wire/one-by-one.js';
import { pushed, type Sink } from '../wire/pushed.js';
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
  private readonly starts = new OneByOne();
  private listed: readonly ModelInfo[] | undefined;

  constructor(private readonly options: OpenAIOptions) {
    super();
    this.name = options.name;
    this.defaultModel = options.defaultModel;
    this.transport = new OpenAITransport(options);
    this.patience = options.patience ?? DEFAULT_PATIENCE;
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent> {
    return pushed((sink) => this.answer(request, signal, sink));
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

  private async answer(request: ModelRequest, signal: AbortSignal, sink: Sink<StreamEvent>): Promise<void> {
    const exchange = this.open(this.patience, signal);
    sink.whenStopped(() => exchange.close());
    try {
      await this.starts.turn();
      const response = await this.transport.post('/chat/completions', chatBody(request), exchange);
      const decoder = new ChatDecoder({
        backend: this.name,
        secret: this.options.key,
        usedIds: new Set(callsIn(request).map(({ id }) => id)),
      });
      if (isJson(response)) sink.push(decoder.push(parsed(await wholeBody(response, exchange, this.name), this.name)));
      else await this.read(response, { decoder, exchange, sink });
      sink.push(decoder.end());
    } finally {
      exchange.close();
    }
  }

  /** Once the answer is settled it is complete, however the connection ends. */
  private async read(response: HttpResponse, answer: OpenAnswer): Promise<void> {
    const sse = new SseDecoder();
    try {
      await readText(response, { exchange: answer.exchange, backend: this.name }, (text) => {
        this.take(sse.push(text), answer);
        if (sse.unfinished > MAX_DOCUMENT_CHARACTERS) throw tooLarge(this.name);
      });
    } catch (error) {
      if (!(error instanceof TransientError && answer.decoder.isSettled)) throw error;
    }
    this.take(sse.end().filter(isWhole), answer);
  }

  /** What one piece of the body brings comes as few events, also when it ends in a failure. */
  private take(messages: readonly string[], { decoder, exchange, sink }: OpenAnswer): void {
    const events: StreamEvent[] = [];
    const before = decoder.pieces;
    try {
      for (const data of messages) {
        if (isDone(data)) decoder.done();
        else addJoined(events, decoder.push(parsed(data, this.name)));
        if (decoder.isSettled) exchange.shorten(isDone(data) ? CLOSE_MS : TAIL_MS);
      }
    } finally {
      if (decoder.pieces > before) exchange.progress();
      sink.push(events);
    }
  }
}

/** An answer that is being read. */
interface OpenAnswer {
  readonly decoder: ChatDecoder;
  readonly exchange: Exchange;
  readonly sink: Sink<StreamEvent>;
}

function isJson(response: HttpResponse): boolean {
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
