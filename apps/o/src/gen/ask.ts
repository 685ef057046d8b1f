import { type Backend, BackendError, type ModelRequest, type StreamEvent } from '#model';
import type { AnswerReport, Outcome } from './answer-report.js';
import { SocketEnd } from './socket-end.js';

const SOCKET_END_MS = 1_000;

export interface Question {
  readonly backend: Backend;
  readonly request: ModelRequest;
  /** Gives the answer up after its first text. */
  readonly abortAfterText: boolean;
}

/** Sends one request and reports its answer. Throws the BackendError that it failed with, once it is reported. */
export async function ask({ backend, request, abortAfterText }: Question, report: AnswerReport, signal: AbortSignal): Promise<void> {
  const sockets = new SocketEnd();
  const own = new AbortController();
  const either = AbortSignal.any([signal, own.signal]);
  const abortedAt = timeOfAbort(either);
  const events: StreamEvent[] = [];
  const started = performance.now();
  const failure = await failureOf(async () => {
    for await (const event of backend.stream(request, either)) {
      events.push(event);
      await report.event(event);
      if (abortAfterText && event.type === 'text') own.abort();
    }
  });
  const wallMs = performance.now() - started;
  const isClosed = either.aborted && (await sockets.reached(SOCKET_END_MS));
  const outcome: Outcome = { events, failure, wallMs, socketClosedMs: isClosed ? performance.now() - abortedAt() : undefined };
  await report.end(outcome);
  if (failure) throw failure;
}

function timeOfAbort(signal: AbortSignal): () => number {
  let time = performance.now();
  signal.addEventListener('abort', () => (time = performance.now()), { once: true });
  return () => time;
}

async function failureOf(work: () => Promise<void>): Promise<BackendError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof BackendError) return error;
    throw error;
  }
}
