import {
  AbortedError,
  Backend,
  ContextOverflowError,
  RequestError,
  TransientError,
  type JsonValue,
  type ModelCapabilities,
  type ModelFacts,
  type ModelInfo,
  type ModelRequest,
  type StreamEvent,
} from '#model';
import { wholeBody } from './body.js';
import type { Dialect } from './dialect.js';
import { Exchange, type Patience } from './exchange.js';
import type { HttpResponse } from './http-response.js';
import { completed, nothingKnown, priced, type ModelKnowledge } from './model-knowledge.js';
import { OneByOne } from './one-by-one.js';
import { parseDocument } from './parse-event.js';
import { pushed, type Sink } from './pushed.js';
import { readAnswer, type OpenAnswer } from './read-answer.js';
import { RefusedReplay } from './refused-replay.js';
import { SseFraming } from './sse-framing.js';
import type { Transport, WireRequest } from './transport.js';

/** 180 s without a byte, 600 s with nothing but keep-alives. */
export const DEFAULT_PATIENCE: Patience = { idleMs: 180_000, progressMs: 600_000 };
const LIST_PATIENCE: Patience = { idleMs: 10_000, progressMs: 10_000 };

export interface HttpBackendOptions {
  readonly name: string;
  readonly defaultModel: string | undefined;
  /** Default: 180 s without a byte, 600 s with nothing but keep-alives. */
  readonly patience?: Partial<Patience> | undefined;
  /** Of its models; default: nothing. */
  readonly knowledge?: ModelKnowledge;
}

/** An answer that is about to be read. */
type Begun = Pick<OpenAnswer, 'framing' | 'decoder'> & { readonly response: HttpResponse };

/** Everything of a provider over HTTP but its dialect. Sends each request once: whoever calls decides about retries. */
export class HttpBackend extends Backend {
  readonly name: string;
  readonly defaultModel: string | undefined;
  private readonly patience: Patience;
  private readonly knowledge: ModelKnowledge;
  /** The first and the last of an answer cost most: other answers go on in between. */
  private readonly edges = new OneByOne();
  private readonly refusedReplay = new RefusedReplay();
  /** As the provider has told them when something did not fit: then nobody knows better. */
  private readonly windows = new Map<string, number>();
  /** Models that are asked in the other dialect. */
  private readonly turned = new Set<string>();
  private listed: readonly ModelInfo[] | undefined;
  /** Of models that were asked before they were listed. */
  private readonly told = new Map<string, ModelFacts>();

  constructor(
    { name, defaultModel, patience, knowledge = nothingKnown }: HttpBackendOptions,
    private readonly dialect: Dialect,
    private readonly transport: Transport,
  ) {
    super();
    this.name = name;
    this.defaultModel = defaultModel;
    this.patience = { ...DEFAULT_PATIENCE, ...patience };
    this.knowledge = knowledge;
  }

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent> {
    return pushed((sink) => this.answer(request, signal, sink));
  }

  async models(signal: AbortSignal): Promise<readonly ModelInfo[]> {
    if (this.listed) return this.listed;
    const told = await this.dialect.models(async (request) => await this.asked(request, signal));
    this.listed = told.map((model) => ({ ...model, ...completed(model, this.knowledge.facts(model.id)) }));
    return this.listed;
  }

  override contextLength(model: string): number | undefined {
    return this.facts(model).contextLength;
  }

  override capabilities(model: string): ModelCapabilities {
    return this.facts(model).capabilities ?? {};
  }

  invalidate(): void {
    this.listed = undefined;
    this.told.clear();
    this.windows.clear();
    this.turned.clear();
  }

  private correct(model: string, window: number | undefined): void {
    if (window !== undefined) this.windows.set(model, window);
  }

  private facts(model: string): ModelFacts {
    const facts = this.listed?.find(({ id }) => id === model) ?? completed(this.told.get(model) ?? {}, this.knowledge.facts(model));
    const contextLength = this.windows.get(model);
    return contextLength === undefined ? facts : { ...facts, contextLength };
  }

  /** The same, after asking for what has to be known. */
  private async learned(model: string, signal: AbortSignal): Promise<ModelFacts> {
    const isKnown = this.told.has(model) || this.listed?.some(({ id }) => id === model);
    const told = isKnown ? undefined : await this.dialect.facts?.(model, async (request) => await this.asked(request, signal));
    if (told) this.told.set(model, told);
    return this.facts(model);
  }

  private async asked(request: WireRequest, signal: AbortSignal): Promise<JsonValue> {
    const exchange = this.open(shorter(LIST_PATIENCE, this.patience), signal);
    try {
      const response = await this.transport.send(request, exchange);
      if (isStream(response)) throw this.noDocument(response);
      return parseDocument(await wholeBody(response, exchange, this.name), this.name);
    } finally {
      exchange.close();
    }
  }

  /** Nobody hears of what becomes of the stream: it is let go of first. */
  private noDocument({ stream }: HttpResponse): TransientError {
    stream.destroy();
    return new TransientError(`${this.name}: answer is a stream`, { backend: this.name, kind: 'malformed' });
  }

  private open(patience: Patience, signal: AbortSignal): Exchange {
    if (signal.aborted) throw new AbortedError(`${this.name}: aborted`, { backend: this.name, kind: 'aborted' });
    return new Exchange(patience, signal);
  }

  /** What the provider does not take back, or not so, is left out or said otherwise, then and from then on. */
  private async accepted(request: ModelRequest, exchange: Exchange): Promise<Begun> {
    const taken = this.refusedReplay.without(request);
    try {
      return await this.begun(taken, exchange);
    } catch (error) {
      if (!(error instanceof RequestError && this.changes(taken, error))) throw error;
      return await this.accepted(taken, exchange);
    }
  }

  /** True when the request will be another one the next time: each of them at most once. */
  private changes(request: ModelRequest, { failure: { kind } }: RequestError): boolean {
    if (kind === 'replay') return this.refusedReplay.add(request);
    if (kind !== 'use_responses' || !this.dialect.instead || this.turned.has(request.model)) return false;
    this.turned.add(request.model);
    return true;
  }

  private async begun(request: ModelRequest, exchange: Exchange): Promise<Begun> {
    const dialect = (this.turned.has(request.model) ? this.dialect.instead : undefined) ?? this.dialect;
    const facts = await this.learned(request.model, exchange.signal);
    const [path, body, headers] = [dialect.path(request), dialect.body(request, facts), dialect.headers?.(request) ?? {}];
    const framing = (await dialect.framing?.()) ?? new SseFraming(this.name);
    const response = await this.transport.send({ path, body, headers }, exchange);
    return { response, framing, decoder: dialect.decoder(request, facts) };
  }

  private async answer(request: ModelRequest, signal: AbortSignal, sink: Sink<StreamEvent>): Promise<void> {
    const { name: backend } = this;
    const exchange = this.open(this.patience, signal);
    sink.whenStopped(() => exchange.close());
    try {
      await this.edges.turn();
      const { response, framing, decoder } = await this.accepted(request, exchange);
      await readAnswer(response, { backend, framing, decoder, exchange, sink });
      await this.edges.turn();
      sink.push(priced(decoder.end(), request.model, this.knowledge));
    } catch (error) {
      if (error instanceof ContextOverflowError) this.correct(request.model, error.failure.limitTokens);
      throw error;
    } finally {
      exchange.close();
    }
  }
}

function shorter(one: Patience, other: Patience): Patience {
  return { idleMs: Math.min(one.idleMs, other.idleMs), progressMs: Math.min(one.progressMs, other.progressMs) };
}

/** One that is no document, and may never end. */
function isStream(response: HttpResponse): boolean {
  return /event-stream|ndjson/.test(response.headers.get('content-type') ?? '');
}
