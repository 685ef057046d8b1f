import type { ClientRequest, IncomingMessage } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { parseJson } from '#model';
import { HttpResponse } from './http-response.js';
import { isTooDeep, mayBeTooDeep } from './json-depth.js';
import { redirected, redirectTarget } from './redirect.js';
import { requestTo } from './request-to.js';

const MAX_REFUSAL_BYTES = 64 * 1024;
const MOST_REDIRECTS = 10;
const DECODERS: ReadonlyMap<string, () => ReturnType<typeof createGunzip>> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * fetch, as far as providers need it, for a body of text: a success is an HttpResponse, whose bytes come as the socket
 * brings them; web streams take several times as long for each piece. Of a refusal the first 64 KiB are there, read.
 */
export async function httpFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  return await answered(new URL(input instanceof Request ? input.url : input), init, MOST_REDIRECTS);
}

async function answered(url: URL, init: RequestInit, redirects: number): Promise<Response> {
  const incoming = await answerTo(url, init);
  const { statusCode: status = 0, statusMessage: statusText = '' } = incoming;
  if (status < 200 || status > 599) {
    incoming.destroy();
    throw new Error(`it answered with status ${status}`);
  }
  const target = redirectTarget(url, status, incoming.headers.location);
  if (!target) return await responseOf(decoded(incoming), { status, statusText, headers: headersOf(incoming) });
  incoming.destroy();
  if (redirects === 0) throw new Error('too many redirects');
  return await answered(target, redirected(init, status, { from: url, to: target }), redirects - 1);
}

function answerTo(url: URL, { method = 'GET', headers, body, signal }: RequestInit): Promise<IncomingMessage> {
  if (typeof body !== 'string' && body !== undefined && body !== null) throw new TypeError('a body that is no text');
  const request = requestTo(url, { method, headers: Object.fromEntries(new Headers(headers)), ...(signal && { signal }) });
  const incoming = responseTo(request);
  request.end(body ?? undefined);
  return incoming;
}

/** Its listeners live as long as the answer comes, and the body of the request must not live with them. */
function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request
      .once('response', resolve)
      .on('error', reject)
      // Behind a change of the protocol there is neither an answer nor an error.
      .once('close', () => reject(new Error('the connection was closed')));
  });
}

async function responseOf(bytes: Readable, head: ResponseInit & { readonly status: number }): Promise<Response> {
  if (head.status >= 200 && head.status < 300) return new HttpResponse(bytes, head);
  const text = shallow(await firstBytes(bytes, MAX_REFUSAL_BYTES));
  return new Response(text === '' ? null : text, head);
}

/** An SDK writes a refusal as text again, which overflows the stack for what is nested too deeply. */
function shallow(text: string): string {
  try {
    return mayBeTooDeep(text) && isTooDeep(parseJson(text)) ? 'nested too deeply' : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

/** What the connection brings of them, should it break. */
async function firstBytes(bytes: AsyncIterable<Uint8Array>, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let left = most;
  try {
    for await (const piece of bytes) {
      pieces.push(piece.subarray(0, left));
      left -= piece.length;
      if (left <= 0) break;
    }
  } catch (error) {
    if (pieces.length === 0) throw error;
  }
  return Buffer.concat(pieces).toString('utf8');
}

function decoded(incoming: IncomingMessage): Readable {
  const decoder = DECODERS.get(incoming.headers['content-encoding']?.toLowerCase() ?? '');
  // Whoever reads the last of them hears of an error of any.
  return decoder ? pipeline(incoming, decoder(), () => undefined) : incoming;
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  return headers;
}
