import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parseJson, type JsonValue } from '#model';

/** `body` is null when there was none. */
export interface LoopbackRequest {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonValue;
  readonly socket: Socket;
}

export type LoopbackAnswer = (response: ServerResponse, request: LoopbackRequest) => unknown;

/** A provider on this machine: it reads a request whole, keeps it, and answers as `answer` says by then. */
export class LoopbackServer {
  readonly requests: LoopbackRequest[] = [];
  /** Without a slash at its end. */
  url = '';
  private readonly server = createServer((incoming, response) => {
    const { method, url: path, headers, socket } = incoming;
    let text = '';
    incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    incoming.on('end', () => {
      const request = { method, path, headers, socket, body: text === '' ? null : parseJson(text) };
      this.requests.push(request);
      this.answer(response, request);
    });
  });

  constructor(public answer: LoopbackAnswer) {}

  async listen(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  /** Ends its connections too. */
  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** One for all tests of a `describe`, or of a file: each of them finds it unasked, and answering as `usual` says. */
export function loopbackServer(usual: LoopbackAnswer): LoopbackServer {
  const server = new LoopbackServer(usual);
  beforeAll(async () => await server.listen());
  beforeEach(() => {
    server.requests.length = 0;
    server.answer = usual;
  });
  afterAll(() => server.close());
  return server;
}
