import type { Readable } from 'node:stream';
import { messageOf } from '#config';
import { type BackendError, TransientError } from '#model';
import type { Exchange } from './exchange.js';
import { failureOfEnd } from './failure-of-end.js';
import type { HttpResponse } from './http-response.js';
import { Utf8Text } from './utf8-text.js';

/** What is parsed as one: an event of a stream, a body that does not stream. In characters, of what is no text in bytes. */
export const MAX_DOCUMENT_CHARACTERS = 32 * 1024 * 1024;
/** Many times what the longest answer of a model takes with all that is around its pieces. */
const MAX_STREAM_BYTES = 256 * 1024 * 1024;

/**
 * Calls `take` with the bytes of a response, as they come; resolves at their end. Rejects with what `take` throws. Every
 * way in which a connection can break is a BackendError; so are more than 256 Mi bytes.
 */
export async function readBody(
  { stream }: HttpResponse,
  { exchange, backend }: { readonly exchange: Exchange; readonly backend: string },
  take: (piece: Buffer) => void,
): Promise<void> {
  let bytes = 0;
  const takePiece = (piece: Buffer): void => {
    exchange.heard();
    bytes += piece.length;
    if (bytes > MAX_STREAM_BYTES) throw tooLarge(backend);
    take(piece);
  };
  const brokenBy = (error: unknown): BackendError =>
    failureOfEnd(exchange, backend) ??
    new TransientError(`${backend}: connection lost: ${messageOf(error)}`, { backend, kind: 'stream_drop' });
  await exchange.wait(readBytes(stream, exchange.signal, { take: takePiece, brokenBy }));
}

/** The whole text of a response that does not stream. Throws TransientError beyond 32 Mi characters. */
export async function wholeBody(response: HttpResponse, exchange: Exchange, backend: string): Promise<string> {
  const utf8 = new Utf8Text();
  let text = '';
  await readBody(response, { exchange, backend }, (piece) => {
    text += utf8.push(piece);
    if (text.length > MAX_DOCUMENT_CHARACTERS) throw tooLarge(backend);
  });
  return text;
}

export function tooLarge(backend: string): TransientError {
  return new TransientError(`${backend}: answer is too large`, { backend, kind: 'malformed' });
}

interface Reading {
  readonly take: (piece: Buffer) => void;
  /** Reading fails for no other reason than the connection. */
  readonly brokenBy: (error: unknown) => BackendError;
}

/** Resolves at the end. Rejects when the bytes break off or the signal aborts, and with what `take` throws, which ends the reading. */
function readBytes(bytes: Readable, signal: AbortSignal, { take, brokenBy }: Reading): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (error: unknown): void => {
      reject(error);
      bytes.destroy();
    };
    const abort = (): void => stop(brokenBy(signal.reason));
    const takeOrStop = (piece: Buffer): void => {
      try {
        take(piece);
      } catch (error) {
        stop(error);
      }
    };
    const settle = (): void => {
      signal.removeEventListener('abort', abort);
      reject(brokenBy(new Error('it was closed')));
    };
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    bytes.on('error', (error) => reject(brokenBy(error)));
    bytes.once('end', resolve).once('close', settle).on('data', takeOrStop);
  });
}
