import type { Parser, TreeCursor } from 'web-tree-sitter';
import { Deadline } from '../deadline.js';
import { TooCostly } from '../errors.js';
import { readGrammarFiles } from './grammar-files.js';

/** A node of the parsed text, copied out of the parser's memory. Offsets are UTF-16 units. */
export interface TreeNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly TreeNode[];
}

export interface Parsed {
  readonly root: TreeNode;
  /** The text has a part that the grammar does not know. */
  readonly broken: boolean;
}

const MAX_DEPTH = 150;
const PARSE_DEADLINE_MS = 200;

/** tree-sitter with the grammar of bash. Loading costs some 20 ms and 12 MB, so it is put off until a guard is made. */
export class BashGrammar {
  private constructor(
    private readonly parser: Parser,
    private readonly types: readonly string[],
  ) {}

  static async load(): Promise<BashGrammar> {
    const { Language, Parser } = await import('web-tree-sitter');
    const files = readGrammarFiles();
    await Parser.init({ wasmBinary: files.engine });
    const language = await Language.load(files.bash);
    const parser = new Parser();
    parser.setLanguage(language);
    return new BashGrammar(parser, language.types);
  }

  /** Throws TooCostly when parsing takes too long or the text nests too deep. */
  parse(text: string): Parsed {
    const deadline = new Deadline(PARSE_DEADLINE_MS);
    const tree = this.parser.parse(withoutTraps(text), null, { progressCallback: () => deadline.isOver });
    if (tree === null) {
      this.parser.reset();
      throw new TooCostly('too-complex');
    }
    const cursor = tree.walk();
    try {
      return { root: this.copy(cursor, 0), broken: tree.rootNode.hasError };
    } finally {
      cursor.delete();
      tree.delete();
    }
  }

  private copy(cursor: TreeCursor, depth: number): TreeNode {
    if (depth > MAX_DEPTH) throw new TooCostly('too-complex');
    const children: TreeNode[] = [];
    const type = this.types[cursor.nodeTypeId] ?? 'ERROR';
    const node = { type, start: cursor.startIndex, end: cursor.endIndex, children };
    if (WHOLE.has(type) || !cursor.gotoFirstChild()) return node;
    do children.push(this.copy(cursor, depth + 1));
    while (cursor.gotoNextSibling());
    cursor.gotoParent();
    return node;
  }
}

/** In front of a run of these, the grammar looks at all of it again and again, and asks nobody whether it may go on. What stands for them is as long. */
function withoutTraps(text: string): string {
  return text.replaceAll('\0', '\ufffd').replaceAll('\\\r', '\\_');
}

/** Nodes whose text is read by the word scanner: what the grammar says of their inside is not needed. */
const WHOLE = new Set(['command', 'declaration_command', 'unset_command', 'variable_assignment', 'variable_assignments', 'test_command']);
