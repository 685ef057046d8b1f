import { messageOf } from '#config';
import { TransientError } from '#model';
import type { Exchange } from './exchange.js';
import { failureOfEnd } from './failure-of-end.js';

/** What is parsed as one: an event of a stream, a body that does not stream. */
export const MAX_DOCUMENT_CHARACTERS = 32 * 1024 * 1024;
/** Many times what the longest answer of a model takes with all that is around its pieces. */
const MAX_STREAM_CHARACTERS = 256 * 1024 * 1024;

/**
 * The UTF-8 text of a response, as it comes. Every way in which a connection can break is a BackendError;
 * so is a text of more than 256 Mi characters.
 */
export async function* bodyText(response: Response, exchange: Exchange, backend: string): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  for (let characters = 0; ;) {
    const { done, value } = await readPiece(reader, exchange, backend);
    if (done) break;
    const text = decoder.decode(value, { stream: true });
    characters += text.length;
    if (characters > MAX_STREAM_CHARACTERS) throw tooLarge(backend);
    yield text;
  }
}

/** The whole text of a response that does not stream. Throws TransientError beyond 32 Mi characters. */
export async function wholeBody(response: Response, exchange: Exchange, backend: string): Promise<string> {
  let text = '';
  for await (const piece of bodyText(response, exchange, backend)) {
    text += piece;
    if (text.length > MAX_DOCUMENT_CHARACTERS) throw tooLarge(backend);
  }
  return text;
}

export function tooLarge(backend: string): TransientError {
  return new TransientError(`${backend}: answer is too large`, { backend, kind: 'malformed' });
}

type Piece = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

/** A read fails for no other reason than the connection, so every error here is one of its. */
async function readPiece(reader: ReadableStreamDefaultReader<Uint8Array>, exchange: Exchange, backend: string): Promise<Piece> {
  try {
    return await exchange.wait(reader.read());
  } catch (error) {
    const ended = failureOfEnd(exchange, backend);
    throw ended ?? new TransientError(`${backend}: connection lost: ${messageOf(error)}`, { backend, kind: 'stream_drop' });
  }
}
