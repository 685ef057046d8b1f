import type { ToolRequest } from '#model';

const MAX_LENGTH = 200;

/** A call in one line of at most 200 characters: its `cmd` argument, else the tool with all arguments. */
export function commandOf({ tool, arguments: args }: ToolRequest): string {
  const { cmd } = args;
  const text = typeof cmd === 'string' ? cmd : `${tool} ${JSON.stringify(args)}`;
  return Array.from(text.replace(/\s+/g, ' ').trim()).slice(0, MAX_LENGTH).join('');
}
