import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Paths } from '#config';
import { BackendError, userText, type ModelRequest } from '#model';
import { dialects, type DialectName } from './dialects.js';

const KEY = 'sk-"one"/+key?&=';
const HEADER = 'gw~two~key>>>???';
const QUESTION: ModelRequest = { model: 'm', system: '', messages: [userText('hi')], tools: [], params: {} };

describe('who refuses a request and tells who has asked', () => {
  let server: Server;
  let told: string;
  let isStream: boolean;
  let refusal: string | undefined;

  beforeEach(async () => {
    refusal = undefined;
    server = createServer((request, response) => {
      const isLines = request.url?.startsWith('/api/') === true;
      const error = JSON.stringify({ type: 'error', error: { type: 'authentication_error', code: 'x', message: told } });
      response.writeHead(isStream ? 200 : 401, {
        'content-type': isStream ? (isLines ? 'application/x-ndjson' : 'text/event-stream') : 'application/json',
      });
      response.end(isStream && !isLines ? `event: error\ndata: ${error}\n\n` : (refusal ?? error));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  async function failureOf(dialect: DialectName): Promise<string> {
    const address = server.address();
    const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
    const connection = { name: 'acme', baseUrl, key: KEY, headers: { 'X-Gateway-Key': HEADER }, defaultModel: undefined };
    const backend = dialects[dialect](connection, { env: {}, paths: Paths.from({}) });
    try {
      for await (const _event of backend.stream(QUESTION, new AbortController().signal)) continue;
      return 'no failure';
    } catch (error) {
      return error instanceof BackendError ? error.message : `untyped: ${String(error)}`;
    }
  }

  const names: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ollama', 'copilot'];

  describe.each(names)('%s', (dialect) => {
    it.each([true, false])('shows neither key nor header, in a stream: %p', async (inStream) => {
      isStream = inStream;
      told = `no: ${KEY} ${HEADER}`;
      expect(await failureOf(dialect)).toMatch(/no: \[key\] \[key\]$/);
    });
  });

  it.each(names)('%s says with which status a body was refused that is nested too deeply', async (dialect) => {
    isStream = false;
    refusal = `${'{"error":'.repeat(6_000)}1${'}'.repeat(6_000)}`;
    expect(await failureOf(dialect)).toBe('acme: HTTP 401: nested too deeply');
  });

  it.each<[string, (text: string) => string]>([
    ['a URL', encodeURIComponent],
    ['base64', (text) => Buffer.from(text).toString('base64')],
    ['base64 for a URL', (text) => Buffer.from(text).toString('base64url')],
    ['JSON', (text) => JSON.stringify(text).slice(1, -1)],
  ])('shows none as it stands in %s', async (_where, form) => {
    isStream = false;
    told = `no: ${form(KEY)} ${form(HEADER)}`;
    expect(await failureOf('openai-chat')).toMatch(/no: \[key\]=* \[key\]=*$/);
  });
});
