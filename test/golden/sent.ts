import { userText, type Backend, type ModelRequest } from '#model';
import { LoopbackServer, type LoopbackAnswer, type LoopbackRequest } from '#testkit';
import { takenByStrictFace } from './strict-face.js';

/** One word to a model. */
export function requestTo(model: string, more: Partial<ModelRequest>): ModelRequest {
  return { model, system: '', messages: [userText('hi')], tools: [], params: {}, ...more };
}

/** What comes to a server on this machine, which answers so, while `ask` has its URL. */
export async function captured(answer: LoopbackAnswer, ask: (baseUrl: string) => Promise<void>): Promise<readonly LoopbackRequest[]> {
  const server = new LoopbackServer(answer);
  await server.listen();
  await ask(server.url).finally(() => server.close());
  return server.requests;
}

/** Reads an answer to its end. */
export async function answered(backend: Backend, request: ModelRequest): Promise<void> {
  for await (const event of backend.stream(request, new AbortController().signal)) if (event.type === 'done') break;
}

/** What one request puts on the wire of a backend whose server streams `answer`; the strict scripted face of its provider takes it too. */
export async function sentBy(backendAt: (baseUrl: string) => Backend, request: ModelRequest, answer: string): Promise<LoopbackRequest> {
  const streams: LoopbackAnswer = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer);
  const [seen] = await captured(streams, async (baseUrl) => await answered(backendAt(baseUrl), request));
  if (!seen) throw new Error('nothing was sent');
  await takenByStrictFace(seen);
  return seen;
}
