import {
  AuthError,
  ContextOverflowError,
  RateLimitError,
  RequestError,
  ToolUnsupportedError,
  TransientError,
  userText,
  type BackendError,
  type JsonObject,
  type StreamEvent,
} from '#model';
import { failure, never, recording, requestOf, type Probe } from './probe.js';

type FailureClass = new (...given: ConstructorParameters<typeof RequestError>) => BackendError;

const FAILURES: readonly (readonly [prompt: string, FailureClass, facts: JsonObject])[] = [
  ['rate', RateLimitError, { retryable: true, kind: 'rate_limit', status: 429, retryAfterMs: 7_000 }],
  ['quota', RateLimitError, { retryable: false, kind: 'quota' }],
  ['server', TransientError, { retryable: true, kind: 'server', status: 500 }],
  ['overloaded', TransientError, { retryable: true, kind: 'overloaded' }],
  ['auth', AuthError, { retryable: false, status: 401 }],
  ['overflow', ContextOverflowError, { retryable: false, limitTokens: 4096 }],
  ['tools', ToolUnsupportedError, { retryable: false, kind: 'tools' }],
  ['bad', RequestError, { retryable: false, kind: 'request', status: 400 }],
];

/** What failures are told as. */
export function failurePromises(probe: Probe): void {
  it.each(FAILURES)('failure: %s', async (prompt, Class, facts) => {
    const error = await probe.failing(prompt);
    expect(error).toBeInstanceOf(Class);
    expect({ retryable: error.retryable, ...error.failure }).toMatchObject(facts);
  });

  it('the same request may be sent again after a failure', async () => {
    expect(await probe.failing('flaky')).toBeInstanceOf(TransientError);
    expect((await probe.reply(userText('flaky'))).text).toBe('[scripted] now it works');
  });

  it('a connection that breaks is no end: what came stays, calls are not given', async () => {
    const seen: StreamEvent[] = [];
    const error = await failure(recording(probe.backend.stream(requestOf([userText('cut')]), never()), seen));
    expect([error.constructor, error.failure.kind]).toEqual([TransientError, 'stream_drop']);
    expect(seen.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('[scripted] half of');
    expect(seen.some(({ type }) => type === 'toolCall')).toBe(false);
  });

  it('silence ends as a failure that may be retried', async () => {
    const error = await probe.failing('stall');
    expect([error.constructor, error.failure.kind]).toEqual([TransientError, 'idle']);
    await probe.quiet();
  });
}
