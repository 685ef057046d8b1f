import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import { parseJson, type StreamEvent } from '#model';
import { PROVIDERS } from '../../libs/backends/src/stream-cases/providers.js';
import { request } from '../../libs/backends/src/stream-cases/cases.js';
import { OpenAIBackend } from '../../libs/backends/src/openai/openai.backend.js';
import { Exchange } from '../../libs/backends/src/wire/exchange.js';
import { HttpResponse } from '../../libs/backends/src/wire/http-response.js';
import { readAnswer } from '../../libs/backends/src/wire/read-answer.js';
import { SseFraming } from '../../libs/backends/src/wire/sse-framing.js';

/** What has been read of a stream. */
export interface Read {
  readonly events: number;
  readonly characters: number;
}

export const providers = Object.keys(PROVIDERS);

/** Reads a body as a backend does, to the end of its answer. Throws BackendError. */
export async function decode(provider: string, pieces: readonly Buffer[]): Promise<Read> {
  const dialect = PROVIDERS[provider]?.dialect;
  if (!dialect) throw new Error(`no such provider: ${provider}`);
  const decoder = dialect.decoder(request, {});
  const framing = (await dialect.framing?.()) ?? new SseFraming(provider);
  const exchange = new Exchange({ idleMs: 60_000, progressMs: 60_000 }, new AbortController().signal);
  const read = { events: 0, characters: 0 };
  const push = (events: Iterable<StreamEvent>): void => {
    for (const event of events) {
      read.events += 1;
      if (event.type === 'text') read.characters += event.text.length;
    }
  };
  const response = new HttpResponse(Readable.from(pieces), { headers: { 'content-type': 'text/event-stream' } });
  await readAnswer(response, { backend: provider, framing, decoder, exchange, sink: { push, whenStopped: () => undefined } });
  push(decoder.end());
  exchange.close();
  return read;
}

/** The least that a reader of server-sent events can do: each one parsed, and nothing made of it. */
export async function parseEvents(pieces: readonly Buffer[]): Promise<number> {
  const text = new StringDecoder('utf8');
  let objects = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]' && typeof parseJson(data) === 'object') objects += 1;
    },
  });
  const body: AsyncIterable<Buffer> = Readable.from(pieces);
  for await (const piece of body) parser.feed(text.write(piece));
  return objects;
}

/** The same for lines of JSON. */
export async function parseLines(pieces: readonly Buffer[]): Promise<number> {
  const text = new StringDecoder('utf8');
  let [held, objects] = ['', 0];
  const body: AsyncIterable<Buffer> = Readable.from(pieces);
  for await (const piece of body) {
    const lines = (held + text.write(piece)).split('\n');
    held = lines.pop() ?? '';
    for (const line of lines) if (typeof parseJson(line) === 'object') objects += 1;
  }
  return objects;
}

/** The texts of an answer of the server at `url`, which speaks chat completions. */
export async function* texts(url: string): AsyncGenerator<string> {
  const backend = new OpenAIBackend({ name: 'openai', baseUrl: url, key: 'sk-bench', defaultModel: undefined });
  for await (const event of backend.stream(request, new AbortController().signal))
    if (event.type === 'text' && event.text !== '') yield event.text;
}
