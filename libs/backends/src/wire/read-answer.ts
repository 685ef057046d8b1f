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
  try {
    await readBody(response, { exchange, backend }, (piece) => {
      takeEvents(answer, (take) => framing.push(piece, take));
      if (framing.unfinished > MAX_DOCUMENT_CHARACTERS) throw tooLarge(backend);
    });
  } catch (error) {
    if (!(error instanceof TransientError && decoder.isSettled)) throw error;
  }
  takeEvents(answer, (take) => framing.end(take));
}

/** What one piece of the body brings comes as few events, also when it ends in a failure. */
function takeEvents({ decoder, exchange, sink }: OpenAnswer, give: (take: (event: JsonValue) => void) => void): void {
  const events: StreamEvent[] = [];
  const before = decoder.pieces;
  try {
    give((event) => {
      addJoined(events, decoder.push(event));
      if (decoder.isSettled) exchange.shorten(decoder.isOver ? CLOSE_MS : TAIL_MS);
    });
  } finally {
    if (decoder.pieces > before) exchange.progress();
    sink.push(events);
  }
}

function isJson(response: HttpResponse): boolean {
  return response.headers.get('content-type')?.includes('application/json') ?? false;
}
