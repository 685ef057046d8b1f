import { BackendError } from '#model';
import { Exchange } from './exchange.js';
import { SdkTransport, type Sdk } from './sdk-transport.js';

/** As SDKs say that a refusal had no body. */
const mute = Object.assign(new Error('400 status code (no body)'), { status: 400, headers: new Headers() });
const refused = { asResponse: async (): Promise<never> => await Promise.reject(mute) };
const sdk: Sdk = { client: { get: () => refused, post: () => refused }, errorIn: () => mute };

async function failureAt(baseUrl: string): Promise<unknown> {
  const transport = new SdkTransport({ name: 'b', baseUrl, secret: undefined, headers: {} }, () => Promise.resolve(sdk));
  const exchange = new Exchange({ idleMs: 1_000, progressMs: 1_000 }, new AbortController().signal);
  return await transport.send({ path: '/chat/completions', body: {} }, exchange).catch((error: unknown) => error);
}

describe('a refusal without a body', () => {
  it.each([
    ['https://api.cerebras.ai/v1', 'ContextOverflowError'],
    ['https://api.acme.invalid/v1', 'RequestError'],
    ['https://notcerebras.ai/v1', 'RequestError'],
  ])('from %s is %s', async (baseUrl, name) => {
    const error = await failureAt(baseUrl);
    expect(error instanceof BackendError && error.name).toBe(name);
  });
});
