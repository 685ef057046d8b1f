import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ScriptSource } from '../library.js';
import { ScriptedModel } from '../scripted-model.js';
import { answer } from './answer.js';
import { faces } from './faces.js';
import type { SeenRequest } from './seen-request.js';
import { SeenRequests } from './seen-requests.js';

export interface ScriptedServerOptions {
  readonly scripts: ScriptSource;
  /** Default true: refuse what real providers refuse. */
  readonly strict?: boolean;
  /** Cuts the bytes of answers at pseudo-random places. */
  readonly seed?: number;
  /** `bytes`: each byte of an answer is a write of its own. */
  readonly chunk?: 'bytes';
  /** When given, requests need it, where the provider wants it. */
  readonly key?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** Default: loopback. */
  readonly host?: string;
  /** Told of each request when it has come in whole. */
  readonly onRequest?: (request: SeenRequest) => void;
}

export interface ScriptedServer {
  /** Base URL for OpenAI clients, `/v1` included. */
  readonly url: string;
  /** Base URL of each face by its name: `openai`, `responses`, `anthropic`, `gemini`, `ollama`. */
  readonly urls: Readonly<Record<string, string>>;
  /** The last 1000 requests, fewer when they are large, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Answers that are neither finished nor given up by their client. */
  readonly active: number;
  close(): Promise<void>;
}

/** The scripted backend as the servers of all providers at once, by path. Rejects when it cannot listen. */
export async function startScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const { scripts, strict: isStrict = true, key, seed, chunk, port = 0, host = '127.0.0.1' } = options;
  const model = new ScriptedModel(scripts, isStrict);
  const cuts = { seed, isBytewise: chunk === 'bytes' };
  const requests = new SeenRequests();
  const seen = (request: SeenRequest): void => {
    requests.add(request);
    options.onRequest?.(request);
  };
  let active = 0;
  const server = createServer((request, response) => {
    active += 1;
    response.once('close', () => (active -= 1));
    void answer({ request, response }, { model, isStrict, key, cuts, seen });
  });
  server.listen(port, host);
  await once(server, 'listening');
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${portOf(server.address())}`;
  return {
    url: `${origin}/v1`,
    urls: Object.fromEntries(faces.map(({ name, base }) => [name, origin + base])),
    requests: requests.all,
    get active() {
      return active;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}
