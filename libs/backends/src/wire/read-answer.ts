import { TransientError, type JsonValue, type StreamEvent } from '#model';
import type { AnswerDecoder } from './answer-decoder.js';
import { MAX_DOCUMENT_CHARACTERS, readBody, tooLarge, wholeBody } from './body.js';
import type { Exchange } from './exchange.js';
import type { Framing } from './framing.js';
import type { HttpResponse } from './http-response.js';
import { addJoined } from './joined-deltas.js';
import { parseDocument } from './parse-event.js';
import type { Sink } from './pushed.js';

/** After what settles an answer only its end is due; some servers do not send it and stay open. */
const TAIL_MS = 5_000;
/** After the end only the close is due; a connection that is read to its end can be used again. */
const CLOSE_MS = 100;

/** An answer that is being read. */
export interface OpenAnswer {
  readonly backend: string;
  /** Of a body that streams. */
  readonly framing: Framing;
  readonly decoder: AnswerDecoder;
  readonly exchange: Exchange;
  readonly sink: Sink<StreamEvent>;
}

/** Reads a response to the end of its answer, streamed or whole; all but what its decoder gives at the end is in the sink when it resolves. Throws BackendError. */
export async function readAnswer(response: HttpResponse, answer: OpenAnswer): Promise<void> {
  const { backend, decoder, exchange, sink } = answer;
  if (isJson(response)) sink.push(decoder.push(parseDocument(await wholeBody(response, exchange, backend), backend)));
  else await readStream(response, answer);
}

/** Once the answer is settled it is complete, however the connection ends. */
async function readStream(response: HttpResponse, answer: OpenAnswer): Promise<void> {
  const { backend, framing, decoder, exchange } = answer;
  const events = new DecodedEvents(answer);
  try {
    await readBody(response, { exchange, backend }, (piece) => {
      try {
        framing.push(piece, events.take);
      } finally {
        events.hand();
      }
      if (framing.unfinished > MAX_DOCUMENT_CHARACTERS) throw tooLarge(backend);
    });
  } catch (error) {
    if (!(error instanceof TransientError && decoder.isSettled)) throw error;
  }
  try {
    framing.end(events.take);
  } finally {
    events.hand();
  }
}

/** What one piece of the body brings comes as few events, also when it ends in a failure. */
class DecodedEvents {
  private list: StreamEvent[] = [];
  private pieces: number;

  constructor(private readonly answer: OpenAnswer) {
    this.pieces = answer.decoder.pieces;
  }

  readonly take = (event: JsonValue): void => {
    const { decoder, exchange } = this.answer;
    addJoined(this.list, decoder.push(event));
    if (decoder.isSettled) exchange.shorten(decoder.isOver ? CLOSE_MS : TAIL_MS);
  };

  hand(): void {
    const { list } = this;
    const { decoder, exchange, sink } = this.answer;
    if (decoder.pieces > this.pieces) exchange.progress();
    this.pieces = decoder.pieces;
    if (list.length === 0) return;
    this.list = [];
    sink.push(list);
  }
}

function isJson(response: HttpResponse): boolean {
  return response.headers.get('content-type')?.includes('application/json') ?? false;
}
