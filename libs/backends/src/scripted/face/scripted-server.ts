import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '#config';
import { ScriptRefusal } from '../errors.js';
import type { ScriptSource } from '../library.js';
import { ScriptedModel } from '../scripted-model.js';
import { ChatFace } from './chat-face.js';
import { Cutter } from './cutter.js';
import { sendBody } from './send-body.js';

const MOST_BODY_BYTES = 32 * 1024 * 1024;
const MOST_REQUESTS_KEPT = 1000;

export interface ScriptedServerOptions {
  readonly scripts: ScriptSource;
  /** Default true: refuse what real providers refuse. */
  readonly strict?: boolean;
  /** Cuts the bytes of streams at pseudo-random places. */
  readonly seed?: number;
  /** When given, requests need `Authorization: Bearer <key>`. */
  readonly key?: string;
  /** Default: any free one. */
  readonly port?: number;
}

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ScriptedServer {
  /** Base URL for OpenAI clients, `/v1` included. */
  readonly url: string;
  /** The last 1000 requests, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Answers that are neither finished nor given up by their client. */
  readonly active: number;
  close(): Promise<void>;
}

/** The scripted backend as an OpenAI-compatible server on loopback. */
export async function startScriptedServer(options: ScriptedServerOptions): Promise<ScriptedServer> {
  const model = new ScriptedModel(options.scripts, options.strict ?? true);
  const face = new ChatFace(model, new Cutter(options.seed));
  const requests: SeenRequest[] = [];
  let active = 0;
  const server = createServer((request, response) => {
    active += 1;
    response.once('close', () => (active -= 1));
    void answer({ request, response, face, requests, key: options.key });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    requests,
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

interface Incoming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly face: ChatFace;
  readonly requests: SeenRequest[];
  readonly key: string | undefined;
}

/** The boundary of one request: what it throws becomes its answer, and one answer never ends the server. */
async function answer(incoming: Incoming): Promise<void> {
  const { response } = incoming;
  try {
    await route(incoming);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else sendError(response, error);
  }
}

async function route({ request, response, face, requests, key }: Incoming): Promise<void> {
  const body = await bodyOf(request);
  const { method = '', url: path = '', headers } = request;
  requests.push({ method, path, headers, body });
  if (requests.length > MOST_REQUESTS_KEPT) requests.shift();
  if (key !== undefined && headers.authorization !== `Bearer ${key}`)
    throw new ScriptRefusal('Incorrect API key provided', 401, 'invalid_api_key');
  if (method === 'POST' && path === '/v1/chat/completions') return await face.complete(body, response);
  if (method === 'GET' && path === '/v1/models') return sendBody(response, 200, face.models());
  throw new ScriptRefusal(`Invalid URL (${method} ${path})`, 404, 'not_found');
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request) {
    const bytes = Buffer.from(piece as Uint8Array); // an IncomingMessage without an encoding gives bytes
    length += bytes.length;
    if (length > MOST_BODY_BYTES) throw new ScriptRefusal('Request entity too large', 413, 'request_too_large');
    pieces.push(bytes);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function sendError(response: ServerResponse, error: unknown): void {
  if (error instanceof ScriptRefusal) return sendBody(response, error.status, error.body);
  const message = error instanceof ConfigError ? error.message : `internal error: ${String(error)}`;
  sendBody(response, 500, { error: { message, type: 'server_error', param: null, code: null } });
}
