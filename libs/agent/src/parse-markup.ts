import { parseJson } from '#model';
import { attributeText } from './markup.js';

/** One block of chat.raw, unescaped. Attribute values are text, as written or as the JSON string says. */
export interface Block {
  readonly role: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly content: string;
}

const BEGIN = /^\[\[\[([a-z]+)((?: [A-Za-z]\w*=(?:"(?:[^"\\]|\\.)*"|[A-Za-z0-9._:/+-]*))*)\]\]\]$/;
const ATTRIBUTE = / ([A-Za-z]\w*)=("(?:[^"\\]|\\.)*"|[A-Za-z0-9._:/+-]*)/g;
const END = /^\[\[\[\/([a-z]+)( nonl=1)?\]\]\]$/;
const ESCAPED = /^\\+\[\[\[/;

/** The finished blocks of a chat.raw text. An unfinished last block is left out; SyntaxError on anything that is no block. */
export function parseMarkup(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: { role: string; attributes: Readonly<Record<string, string>>; lines: string[] } | undefined;
  for (const line of text.split('\n').slice(0, -1)) {
    if (open === undefined) open = beginOf(line);
    else if (!line.startsWith('[[[')) open.lines.push(ESCAPED.test(line) ? line.slice(1) : line);
    else {
      blocks.push({ role: open.role, attributes: open.attributes, content: contentOf(open.lines, line, open.role) });
      open = undefined;
    }
  }
  return blocks;
}

function beginOf(line: string): { role: string; attributes: Readonly<Record<string, string>>; lines: string[] } {
  const [, role, words] = BEGIN.exec(line) ?? [];
  if (role === undefined || words === undefined) throw new SyntaxError(`no begin line: ${line}`);
  const pairs = [...words.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, readValue(value)] as const);
  return { role, attributes: Object.fromEntries(pairs), lines: [] };
}

function readValue(value: string): string {
  return value.startsWith('"') ? attributeText(parseJson(value)) : value;
}

function contentOf(lines: readonly string[], end: string, role: string): string {
  const [, name, nonl] = END.exec(end) ?? [];
  if (name !== role) throw new SyntaxError(`no end line of ${role}: ${end}`);
  return lines.join('\n') + (lines.length > 0 && nonl === undefined ? '\n' : '');
}
