import { isJsonObject, jsonIn, RESULT_MARK, type JsonValue, type ToolContent, type ToolResult } from '#model';

/** True when an output announces that the rest of it is a result as JSON. */
export function announcesResult(start: Uint8Array): boolean {
  const first = Buffer.from(start.subarray(0, RESULT_MARK.length + 2)).toString('latin1');
  return first.startsWith(`${RESULT_MARK}\n`) || first.startsWith(`${RESULT_MARK}\r\n`);
}

/** The result that a tool printed itself, or the reason why it is none. */
export function parseToolResult(output: string): ToolResult | string {
  const value = jsonIn(output.slice(output.indexOf('\n') + 1));
  if (!isJsonObject(value)) return 'the output after #!ollie-result is no JSON object';
  const { content, isError = false } = value;
  if (typeof isError !== 'boolean') return 'isError is neither true nor false';
  if (!Array.isArray(content)) return 'content is no list';
  const parts = content.map(contentPart);
  const known = parts.filter((part) => part !== undefined);
  return known.length === parts.length ? { content: known, isError } : 'a part of content is neither text nor image';
}

function contentPart(part: JsonValue): ToolContent | undefined {
  if (!isJsonObject(part)) return undefined;
  const { type, text, mimeType, data } = part;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type === 'image' && typeof mimeType === 'string' && typeof data === 'string') return { type, mimeType, data };
  return undefined;
}
