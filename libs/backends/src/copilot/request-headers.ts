import type { Message, ModelRequest } from '#model';

/** Who asked for this request, by which it is billed, and whether there are images in it. */
export function requestHeaders({ messages }: ModelRequest): Readonly<Record<string, string>> {
  const initiator = messages.at(-1)?.role === 'user' ? 'user' : 'agent';
  return { 'x-initiator': initiator, ...(messages.some(hasImage) && { 'copilot-vision-request': 'true' }) };
}

function hasImage({ content }: Message): boolean {
  return content.some(({ type }) => type === 'image');
}
