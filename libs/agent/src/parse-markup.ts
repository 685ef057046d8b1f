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

interface OpenBlock extends Pick<Block, 'role' | 'attributes'> {
  readonly lines: string[];
}

/** The finished blocks of a chat.raw text. An unfinished last block is left out; SyntaxError on anything that is no block. */
export function parseMarkup(text: string): readonly Block[] {
  return parse(text, (why, line) => {
    throw new SyntaxError(`${why}: ${line}`);
  });
}

/** The same of a text that may be damaged: what is no block is passed over. */
export function blocksIn(text: string): readonly Block[] {
  return parse(text, () => undefined);
}

function parse(text: string, complain: (why: string, line: string) => undefined): readonly Block[] {
  const blocks: Block[] = [];
  let open: OpenBlock | undefined;
  for (const line of text.split('\n').slice(0, -1)) {
    if (open === undefined) open = beginOf(line) ?? complain('no begin line', line);
    else if (!line.startsWith('[[[')) open.lines.push(ESCAPED.test(line) ? line.slice(1) : line);
    else {
      const content = contentOf(open, line) ?? complain(`no end line of ${open.role}`, line);
      if (content !== undefined) blocks.push({ role: open.role, attributes: open.attributes, content });
      open = undefined;
    }
  }
  return blocks;
}

function beginOf(line: string): OpenBlock | undefined {
  const [, role, words] = BEGIN.exec(line) ?? [];
  if (role === undefined || words === undefined) return undefined;
  const pairs = [...words.matchAll(ATTRIBUTE)].map(([, key = '', value = '']) => [key, readValue(value)] as const);
  return { role, attributes: Object.fromEntries(pairs), lines: [] };
}

function readValue(value: string): string {
  return value.startsWith('"') ? attributeText(parseJson(value)) : value;
}

function contentOf({ lines, role }: OpenBlock, end: string): string | undefined {
  const [, name, nonl] = END.exec(end) ?? [];
  return name !== role ? undefined : lines.join('\n') + (lines.length > 0 && nonl === undefined ? '\n' : '');
}
