import { inLowerCase } from '../wire/endpoint.js';
import { NO_TIMEOUT_MS, SdkTransport, type Sdk } from '../wire/sdk-transport.js';
import type { Transport } from '../wire/transport.js';
import { secretOf, type AnthropicOptions } from './options.js';

const ANTHROPIC_URL = 'https://api.anthropic.com';
/** Of every request, whoever serves it. */
export const VERSION_HEADERS = { 'anthropic-version': '2023-06-01' } as const;

export function anthropicTransport(options: AnthropicOptions): Transport {
  const { name, key, token } = options;
  const baseUrl = (options.baseUrl ?? ANTHROPIC_URL).replace(/\/+$/, '').replace(/\/v1$/, '');
  const authorization = key === undefined && token !== undefined ? `Bearer ${token}` : null;
  const headers = { ...VERSION_HEADERS, 'x-api-key': key ?? null, authorization, ...inLowerCase(options.headers) };
  return new SdkTransport({ name, baseUrl, secret: secretOf(options), headers }, async (fetch) => await load(baseUrl, fetch));
}

/**
 * Everything that the SDK would otherwise read from the environment or from files is given, so that only our settings
 * count; who asks is said by the headers of each request.
 */
async function load(baseURL: string, fetch: typeof globalThis.fetch): Promise<Sdk> {
  const { Anthropic, APIError } = await import('@anthropic-ai/sdk');
  const client = new Anthropic({
    baseURL,
    apiKey: 'none',
    webhookKey: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    openTelemetry: false,
    fetch,
  });
  return { client, errorIn: (error) => (error instanceof APIError ? error : undefined) };
}
