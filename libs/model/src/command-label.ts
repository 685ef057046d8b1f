import type { JsonObject } from './json.js';

const MAX_CHARACTERS = 200;

/** What `stat` and `top` show as the command: the caller's label, else the `cmd` argument, else the tool with its arguments. */
export function commandLabel(label: string, tool: string, args: JsonObject): string {
  if (label !== '') return label;
  const { cmd } = args;
  if (typeof cmd === 'string') return cmd;
  return Array.from(`${tool} ${JSON.stringify(args)}`)
    .slice(0, MAX_CHARACTERS)
    .join('');
}
