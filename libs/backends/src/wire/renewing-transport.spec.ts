import { Readable } from 'node:stream';
import { AuthError, BackendError, RequestError, TransientError } from '#model';
import { Exchange } from './exchange.js';
import { HttpResponse } from './http-response.js';
import { RenewingTransport } from './renewing-transport.js';
import { TokenKeeper } from './token-keeper.js';

const refused = (status: number): BackendError => new AuthError(`acme: HTTP ${status}: IDE token expired`, { backend: 'acme', status });

/** What becomes of one request: `good` are the tokens that the other side takes, `given` those that can be had. */
async function outcome({
  good,
  given,
  with: failure = refused(401),
  caller = new AbortController().signal,
}: {
  readonly good: string;
  readonly given: readonly (string | Error | undefined)[];
  readonly with?: Error;
  readonly caller?: AbortSignal;
}): Promise<readonly string[]> {
  const log: string[] = [];
  const left = [...given];
  const tokens = new TokenKeeper(async () => {
    const text = left.shift();
    if (text instanceof Error) throw text;
    return text === undefined ? await new Promise<never>(() => undefined) : { text };
  });
  const transport = new RenewingTransport({
    name: 'acme',
    tokens,
    refusals: [401],
    transportWith: ({ text }) => ({
      send: async ({ path }) => {
        log.push(`${path} with ${text}`);
        await Promise.resolve();
        if (text !== good) throw failure;
        return new HttpResponse(Readable.from([]), { status: 200 });
      },
    }),
  });
  const exchange = new Exchange({ idleMs: 100, progressMs: 5_000 }, caller);
  const ended = await transport.send({ path: '/x' }, exchange).then(
    ({ status }) => String(status),
    (error: unknown) => (error instanceof BackendError ? `${error.name} ${error.failure.kind ?? error.failure.status}` : String(error)),
  );
  exchange.close();
  return [...log, ended];
}

describe('requests with a token that ends', () => {
  it.each([
    ['a good one is used as it is', { good: 'a', given: ['a'] }, ['/x with a', '200']],
    ['one that is refused is replaced', { good: 'b', given: ['a', 'b'] }, ['/x with a', '/x with b', '200']],
    ['once', { good: 'c', given: ['a', 'b', 'c'] }, ['/x with a', '/x with b', 'AuthError 401']],
    ['the same one is not tried twice', { good: 'b', given: ['a', 'a', 'b'] }, ['/x with a', 'AuthError 401']],
    ['no other status asks for a new one', { good: 'b', given: ['a', 'b'], with: refused(403) }, ['/x with a', 'AuthError 403']],
    [
      'and no other failure',
      { good: 'b', given: ['a', 'b'], with: new TransientError('oops', { backend: 'acme', status: 500 }) },
      ['/x with a', 'TransientError 500'],
    ],
    [
      'that none can be had is what is told',
      { good: 'b', given: ['a', new RequestError('gone', { backend: 'acme', kind: 'not_found' })] },
      ['/x with a', 'RequestError not_found'],
    ],
    ['nor is it waited for without end', { good: 'a', given: [undefined] }, ['TransientError idle']],
    ['an abort ends the wait', { good: 'a', given: [undefined], caller: AbortSignal.timeout(20) }, ['AbortedError aborted']],
  ])('%s', async (_what, given, expected) => {
    expect(await outcome(given)).toEqual(expected);
  });
});
