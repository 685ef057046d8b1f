import { NO_TIMEOUT_MS, SdkTransport, type Sdk } from '../wire/sdk-transport.js';
import type { Transport } from '../wire/transport.js';
import type { OpenAIOptions } from './options.js';

const OPENAI_URL = 'https://api.openai.com/v1';

export function openaiTransport(options: OpenAIOptions): Transport {
  const { name, key } = options;
  const baseUrl = (options.baseUrl ?? OPENAI_URL).replace(/\/+$/, '');
  return new SdkTransport({ name, baseUrl, key }, async (fetch) => await load({ ...options, baseUrl, fetch }));
}

interface ClientSettings extends OpenAIOptions {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
}

/** Everything that the SDK would otherwise read from the environment is given, so that only our settings count. */
async function load({ baseUrl, key, headers, fetch }: ClientSettings): Promise<Sdk> {
  const { OpenAI, APIError } = await import('openai');
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: key ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: NO_TIMEOUT_MS,
    logLevel: 'off',
    defaultHeaders: { ...(key === undefined ? { Authorization: null } : {}), ...headers },
    fetch,
  });
  return { client, errorIn: (error) => (error instanceof APIError ? error : undefined) };
}
