import type { CatalogEntry, ToolInfo } from '#model';
import { escapeField } from '#model';

/** One item a line; nothing for no items. */
export function lines(items: Iterable<string>): string {
  return [...items].map((item) => `${item}\n`).join('');
}

/** `backend<tab>model` lines. */
export function modelLines(models: readonly (readonly [backend: string, model: string])[]): string {
  return lines(models.map((pair) => pair.map(escapeField).join('\t')));
}

/** `name<spaces>description` lines of the tools that can be loaded, the names padded to one column. */
export function catalogLines(entries: readonly CatalogEntry[]): string {
  const available = entries.filter((entry) => entry.available);
  const width = Math.max(0, ...available.map((entry) => entry.name.length)) + 2;
  return lines(available.map((entry) => entry.name.padEnd(width) + firstSentence(entry.description)));
}

/** `name<tab>tier<tab>description` lines of an agent's loaded tools. */
export function toolLines(tools: readonly ToolInfo[]): string {
  return lines(tools.map((tool) => [tool.name, tool.tier, firstSentence(tool.description)].map(escapeField).join('\t')));
}

/** On one line, up to the end of the first sentence. */
function firstSentence(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return /^.*?\.(?= [A-Z])/.exec(line)?.[0] ?? line;
}
