import type { OpenAI } from 'openai';
import { messageOf } from '#config';
import { AuthError, RequestError, TransientError, type BackendError, type JsonObject, type JsonValue } from '#model';
import { classify } from '../wire/classify.js';
import { presentable } from '../wire/error-text.js';
import type { Exchange } from '../wire/exchange.js';
import { failureOfEnd } from '../wire/failure-of-end.js';
import { HttpResponse } from '../wire/http-response.js';
import type { OpenAIOptions } from './options.js';

const OPENAI_URL = 'https://api.openai.com/v1';
/** The SDK's own limits are out of the way: silence and retries are the business of our side. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;
const NOT_IN_A_HEADER = /[^ -~]/;

type Sdk = typeof import('openai');

/** Requests through the SDK, which is loaded with the first one. Resolves with the raw response of a 2xx; else throws BackendError. */
export class OpenAITransport {
  private loading: Promise<{ readonly sdk: Sdk; readonly client: OpenAI }> | undefined;
  private readonly baseUrl: string;

  constructor(private readonly options: OpenAIOptions) {
    this.baseUrl = (options.baseUrl ?? OPENAI_URL).replace(/\/+$/, '');
  }

  async post(path: string, body: JsonObject, exchange: Exchange): Promise<HttpResponse> {
    return await this.send(exchange, (client, options) => client.post(path, { ...options, body }).asResponse());
  }

  async get(path: string, exchange: Exchange): Promise<HttpResponse> {
    return await this.send(exchange, (client, options) => client.get(path, options).asResponse());
  }

  private async send(
    exchange: Exchange,
    request: (client: OpenAI, options: { signal: AbortSignal }) => Promise<Response>,
  ): Promise<HttpResponse> {
    const { sdk, client } = await (this.loading ??= this.load());
    try {
      const response = await exchange.wait(request(client, { signal: exchange.signal }));
      if (!(response instanceof HttpResponse)) throw new TypeError('a response that httpFetch has not made');
      return response;
    } catch (error) {
      throw failureOfEnd(exchange, this.options.name) ?? this.failureOf(error, sdk);
    }
  }

  private async load(): Promise<{ readonly sdk: Sdk; readonly client: OpenAI }> {
    const { name: backend, key = '' } = this.options;
    if (!URL.canParse(this.baseUrl)) throw new RequestError(`${backend}: not a URL: ${this.baseUrl}`, { backend, kind: 'url' });
    if (NOT_IN_A_HEADER.test(key)) throw new AuthError(`${backend}: the key holds a character that no HTTP header can carry`, { backend });
    const [sdk, { httpFetch }] = await Promise.all([import('openai'), import('../wire/http-fetch.js')]);
    return { sdk, client: new sdk.OpenAI({ ...this.clientOptions(), fetch: httpFetch }) };
  }

  /** Everything that the SDK would otherwise read from the environment is given, so that only our settings count. */
  private clientOptions(): NonNullable<ConstructorParameters<Sdk['OpenAI']>[0]> {
    const { key, headers } = this.options;
    return {
      baseURL: this.baseUrl,
      apiKey: key ?? 'none',
      adminAPIKey: null,
      organization: null,
      project: null,
      webhookSecret: null,
      maxRetries: 0,
      timeout: NO_TIMEOUT_MS,
      logLevel: 'off',
      defaultHeaders: { ...(key === undefined ? { Authorization: null } : {}), ...headers },
    };
  }

  private failureOf(error: unknown, sdk: Sdk): BackendError {
    const { name: backend, key: secret } = this.options;
    if (!(error instanceof sdk.APIError)) {
      // It never comes from the other side, but it may show a header, and so the key.
      return new RequestError(`${backend}: request failed: ${presentable(messageOf(error), secret)}`, { backend, kind: 'request' });
    }
    // The SDK leaves these three untyped; status and headers are there together, for an answer that came.
    const answer: { readonly status?: number; readonly headers?: Headers; readonly error?: JsonValue } = error;
    if (answer.status === undefined) return this.unreachable(error);
    const { status, headers = new Headers() } = answer;
    return classify({ backend, status, headers, secret, body: answer.error ?? textAfterStatus(error.message) });
  }

  private unreachable(error: Error): BackendError {
    const { name: backend, key } = this.options;
    const why = presentable(innermostMessage(error), key);
    return new TransientError(`${backend}: cannot reach ${new URL(this.baseUrl).origin}: ${why}`, { backend, kind: 'network' });
  }
}

/** The SDK puts the status before a body that is not JSON. */
function textAfterStatus(message: string): string {
  return message.replace(/^\d{3} /, '');
}

function innermostMessage(error: object): string {
  const cause = 'cause' in error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null ? innermostMessage(cause) : messageOf(error);
}
