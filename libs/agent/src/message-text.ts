import type { ImageContent, Message, ToolContent } from '#model';

/** All of a message as text: what was said, the calls as `-> name(arguments)` lines, images as a line of their size. */
export function messageText(message: Message): string {
  if (message.role !== 'assistant') return message.content.map(partText).join('');
  const said = message.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const calls = message.toolCalls.map(({ name, rawArguments }) => `-> ${name}(${rawArguments})\n`).join('');
  return said === '' || said.endsWith('\n') || calls === '' ? said + calls : `${said}\n${calls}`;
}

/** `[image/png, 123 bytes]` and a newline. */
export function describeImage({ mimeType, data }: ImageContent): string {
  return `[${mimeType}, ${Buffer.byteLength(data, 'base64')} bytes]\n`;
}

function partText(part: ToolContent): string {
  return part.type === 'text' ? part.text : describeImage(part);
}
