import type { ServerResponse } from 'node:http';
import type { JsonValue } from '#model';

/** A whole answer: JSON, or a text as it is. */
export function sendBody(response: ServerResponse, status: number, value: JsonValue, headers: Readonly<Record<string, string>> = {}): void {
  const isText = typeof value === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json', ...headers });
  response.end(isText ? value : JSON.stringify(value));
}
