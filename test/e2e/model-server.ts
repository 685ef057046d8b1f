import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isJsonObject, parseJson, type JsonObject } from '#model';

/** Answers a request with its whole text. `ask` takes that down as one to the model, and gives how many there were before. */
export type Answer = (request: IncomingMessage, response: ServerResponse, ask: () => number) => void;

/** A provider of models on this machine, as a test scripts it, from the first test of a `describe` to its last. */
export class ModelServer {
  /** What the model was asked. */
  readonly bodies: JsonObject[] = [];
  private readonly server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => this.answer(request, response, () => this.take(text)));
  });

  constructor(private readonly answer: Answer) {}

  /** Gives the URL. */
  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private take(text: string): number {
    const body = parseJson(text);
    return this.bodies.push(isJsonObject(body) ? body : {}) - 1;
  }
}
