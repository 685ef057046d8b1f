import { inLowerCase } from '../wire/endpoint.js';
import { NO_TIMEOUT_MS, SdkTransport, type Sdk } from '../wire/sdk-transport.js';
import type { Transport } from '../wire/transport.js';
import type { OpenAIOptions } from './options.js';

const OPENAI_URL = 'https://api.openai.com/v1';

export function openaiTransport(options: OpenAIOptions): Transport {
  const { name, key } = options;
  const headers = { authorization: key === undefined ? null : `Bearer ${key}`, ...inLowerCase(options.headers) };
  const baseUrl = (options.baseUrl ?? OPENAI_URL).replace(/\/+$/, '');
  return new SdkTransport({ name, baseUrl, secret: key, headers }, async (fetch) => await load(baseUrl, fetch));
}

/**
 * Everything that the SDK would otherwise read from the environment is given, so that only our settings count; who asks is
 * said by the headers of each request.
 */
async function load(baseURL: string, fetch: typeof globalThis.fetch): Promise<Sdk> {
  const { OpenAI, APIError } = await import('openai');
  const client = new OpenAI({
    baseURL,
    apiKey: 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    fetch,
  });
  return { client, errorIn: (error) => (error instanceof APIError ? error : undefined) };
}
