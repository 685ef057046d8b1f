import type { JsonObject } from '#model';

/** A server-sent event; with its type in front where the provider says it. */
export function sse(data: JsonObject, type?: string): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${JSON.stringify(data)}\n\n`;
}

export const EVENT_STREAM = 'text/event-stream; charset=utf-8';
