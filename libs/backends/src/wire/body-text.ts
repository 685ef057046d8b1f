import { messageOf } from '#config';
import { TransientError } from '#model';
import type { Exchange } from './exchange.js';
import { failureOfEnd } from './failure-of-end.js';

const MAX_BODY_CHARACTERS = 16 * 1024 * 1024;

/** The UTF-8 text of a response, as it comes. Every way in which a connection can break is a BackendError. */
export async function* bodyText(response: Response, exchange: Exchange, backend: string): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await readPiece(reader, exchange, backend);
    if (done) break;
    yield decoder.decode(value, { stream: true });
  }
  yield decoder.decode();
}

/** The whole text of a response that is meant to be small. Throws TransientError beyond 16 Mi characters. */
export async function wholeBody(response: Response, exchange: Exchange, backend: string): Promise<string> {
  let text = '';
  for await (const piece of bodyText(response, exchange, backend)) {
    text += piece;
    if (text.length > MAX_BODY_CHARACTERS) throw new TransientError(`${backend}: answer is too large`, { backend, kind: 'malformed' });
  }
  return text;
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
