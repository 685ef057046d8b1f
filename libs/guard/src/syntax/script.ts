import type { BashGrammar, Parsed, TreeNode } from './bash-grammar.js';
import { flatScript } from './flat-script.js';
import { hereDocument } from './here-document.js';
import type { Branch, HereDocument, Simple, Span, Statement } from './statement.js';

export interface Script {
  readonly statements: readonly Statement[];
  readonly broken: boolean;
}

/** Parses shell text. What the grammar cannot parse is also cut into commands at its operators. */
export function parseScript(grammar: BashGrammar, text: string): Script {
  const { root, broken } = parseLeniently(grammar, text);
  const statements = new ScriptBuilder(text).sequence(root.children);
  return { statements: broken ? [...statements, ...flatScript(text)] : statements, broken };
}

/** What bash takes and the grammar does not, and what of the same length stands for it while the structure is found. */
const GAPS: readonly (readonly [RegExp, string])[] = [
  [/<>/g, '>>'],
  [/\\[<>]/g, '=='],
];

function parseLeniently(grammar: BashGrammar, text: string): Parsed {
  const parsed = grammar.parse(text);
  if (!parsed.broken) return parsed;
  const closed = GAPS.reduce((result, [gap, filling]) => result.replace(gap, filling), text);
  return closed === text ? parsed : grammar.parse(closed);
}

/** A command or compound command, the operator before it and the redirections after it. */
interface Item {
  readonly operator: string;
  readonly node: TreeNode | undefined;
  readonly redirections: readonly TreeNode[];
  readonly negated: boolean;
}

const SIMPLE = new Set(['command', 'declaration_command', 'unset_command', 'variable_assignment', 'variable_assignments']);
/** Something that runs, where only words are expected. */
const SUBSTITUTION = /\$\(|`/;
const OPERATORS = new Set(['|', '|&', '&&', '||']);
const REDIRECTIONS = new Set(['file_redirect', 'herestring_redirect', 'heredoc_redirect']);
const NOT_STATEMENTS = new Set([
  'comment',
  'word',
  'variable_name',
  'heredoc_body',
  'heredoc_end',
  'heredoc_start',
  'file_descriptor',
  '\n',
  ';',
  ';;',
]);

/** The grammar's tree nests lists, pipelines and redirections loosely; this rebuilds them by the shell's precedence. */
class ScriptBuilder {
  constructor(private readonly text: string) {}

  sequence(nodes: readonly TreeNode[]): Statement[] {
    const statements: Statement[] = [];
    for (const node of nodes) {
      if (node.type === '&') {
        const last = statements.pop();
        if (last !== undefined) statements.push({ type: 'background', body: last });
      } else if (!NOT_STATEMENTS.has(node.type)) statements.push(...this.list(node));
    }
    return statements;
  }

  private list(node: TreeNode): Statement[] {
    const items = this.flatten(node, '');
    const parts: Statement[] = [];
    const operators: string[] = [];
    let pipeline: Statement[] = [];
    for (const item of items) {
      if (item.operator === '&&' || item.operator === '||') {
        parts.push(...pipe(pipeline));
        operators.push(item.operator);
        pipeline = [];
      }
      pipeline.push(...this.item(item));
    }
    parts.push(...pipe(pipeline));
    return parts.length > 1 ? [{ type: 'and-or', parts, operators }] : parts;
  }

  private flatten(node: TreeNode, operator: string): Item[] {
    if (node.type === 'list' || node.type === 'pipeline') return this.flattenChildren(node.children, operator);
    if (node.type === 'negated_command') return negateFirst(node.children.slice(1).flatMap((child) => this.flatten(child, operator)));
    if (node.type === 'redirected_statement') return this.flattenRedirected(node, operator);
    return [{ operator, node, redirections: [], negated: false }];
  }

  private flattenChildren(children: readonly TreeNode[], first: string): Item[] {
    let operator = first;
    const items: Item[] = [];
    for (const child of children) {
      if (OPERATORS.has(child.type)) operator = child.type;
      else if (!NOT_STATEMENTS.has(child.type)) items.push(...this.flatten(child, operator));
    }
    return items;
  }

  private flattenRedirected(node: TreeNode, operator: string): Item[] {
    const body = node.children.find((child) => !REDIRECTIONS.has(child.type));
    const redirections = node.children.filter((child) => REDIRECTIONS.has(child.type));
    const items = body === undefined ? [{ operator, node: undefined, redirections: [], negated: false }] : this.flatten(body, operator);
    const last = items.pop();
    if (last !== undefined) items.push({ ...last, redirections: [...last.redirections, ...redirections] });
    return [...items, ...redirections.flatMap((redirection) => this.continuation(redirection))];
  }

  /** In `cat <<EOF | sh` the grammar puts the rest of the line into the redirection. */
  private continuation(redirection: TreeNode): Item[] {
    if (redirection.type !== 'heredoc_redirect') return [];
    const from = redirection.children.findIndex(({ type }) => OPERATORS.has(type) || type === 'pipeline');
    return from < 0 ? [] : this.flattenChildren(redirection.children.slice(from), '&&');
  }

  private item(item: Item): Statement[] {
    const statements = this.plain(item);
    return item.negated ? statements.map((body): Statement => ({ type: 'negated', body })) : statements;
  }

  private plain({ node, redirections }: Item): Statement[] {
    if (node === undefined || SIMPLE.has(node.type)) return [this.simple(node, redirections)];
    const statements = this.compound(node);
    if (redirections.length === 0) return statements;
    const body: Statement = { type: 'block', body: statements, subshell: false };
    return [{ type: 'redirected', body, redirections: this.simple(undefined, redirections) }];
  }

  private simple(node: TreeNode | undefined, redirections: readonly TreeNode[]): Simple {
    const nodes = [...(node === undefined ? [] : [node]), ...redirections];
    const span = { start: nodes[0]?.start ?? 0, end: nodes.at(-1)?.end ?? 0 };
    const here = redirections.filter(({ type }) => type === 'heredoc_redirect');
    if (here.length === 0) return { type: 'simple', text: this.slice(span), span, hereDocuments: [] };
    const text = nodes.map((part) => (here.includes(part) ? this.besides(part) : this.slice(part))).join(' ');
    return { type: 'simple', text, span, hereDocuments: here.map((part) => this.document(part)) };
  }

  /** Words and redirections that stand on the line of a here-document's delimiter. */
  private besides({ children }: TreeNode): string {
    const start = children.findIndex(({ type }) => type === 'heredoc_start');
    const stop = children.findIndex(({ type }) => OPERATORS.has(type) || type === 'pipeline' || type === 'heredoc_body');
    return children
      .slice(start + 1, stop < 0 ? children.length : stop)
      .filter(({ type }) => type !== 'heredoc_end' && type !== 'ERROR')
      .map((child) => this.slice(child))
      .join(' ');
  }

  private document({ children }: TreeNode): HereDocument {
    const find = (wanted: string): TreeNode | undefined => children.find(({ type }) => type === wanted);
    const [start, body, end] = [find('heredoc_start'), find('heredoc_body'), find('heredoc_end')];
    const operator = children[0]?.type ?? '<<';
    if (body === undefined) return hereDocument('', '', operator);
    const from = this.text.lastIndexOf('\n', body.start - 1) + 1;
    return hereDocument(start === undefined ? '' : this.slice(start), this.text.slice(from, end?.start ?? body.end), operator);
  }

  private compound(node: TreeNode): Statement[] {
    const build = this.builders[node.type];
    if (build !== undefined) return [build(node)];
    return this.sequence(node.children.filter(({ children, type }) => children.length > 0 || SIMPLE.has(type) || type === 'test_command'));
  }

  private readonly builders: Readonly<Record<string, (node: TreeNode) => Statement>> = {
    test_command: (node) => ({ type: 'test', text: this.slice(node), span: node }),
    subshell: (node) => ({ type: 'block', body: this.sequence(node.children.slice(1, -1)), subshell: true }),
    compound_statement: (node) => this.braced(node),
    do_group: (node) => ({ type: 'block', body: this.body(node), subshell: false }),
    if_statement: (node) => ({ type: 'if', branches: this.branches(node) }),
    while_statement: (node) => this.loop(node),
    for_statement: (node) => this.forEach(node),
    c_style_for_statement: (node) => this.countedFor(node),
    case_statement: (node) => this.choice(node),
    function_definition: (node) => this.definition(node),
  };

  private braced(node: TreeNode): Statement {
    const arithmetic = node.children[0]?.type === '((';
    if (arithmetic) return { type: 'test', text: this.slice(node), span: node };
    return { type: 'block', body: this.sequence(node.children.slice(1, -1)), subshell: false };
  }

  private body(group: TreeNode | undefined): Statement[] {
    return group === undefined ? [] : this.sequence(group.children.slice(1, -1));
  }

  private branches(node: TreeNode): Branch[] {
    const then = node.children.findIndex(({ type }) => type === 'then');
    const rest = node.children.slice(then + 1, node.type === 'if_statement' ? -1 : undefined);
    const clauses = rest.filter(({ type }) => type === 'elif_clause' || type === 'else_clause');
    const own = {
      condition: this.sequence(node.children.slice(1, then)),
      body: this.sequence(rest.filter((child) => !clauses.includes(child))),
    };
    return [own, ...clauses.flatMap((clause) => this.clause(clause))];
  }

  private clause(clause: TreeNode): Branch[] {
    return clause.type === 'elif_clause' ? this.branches(clause) : [{ condition: [], body: this.sequence(clause.children.slice(1)) }];
  }

  private loop(node: TreeNode): Statement {
    const group = node.children.findIndex(({ type }) => type === 'do_group');
    const condition = node.children.slice(1, group);
    const text = this.text.slice(condition[0]?.start ?? 0, condition.findLast(({ type }) => type !== ';' && type !== '\n')?.end ?? 0);
    const branch = { condition: this.sequence(condition), body: this.body(node.children[group]) };
    return { type: 'while', condition: text.trim(), until: node.children[0]?.type === 'until', branch };
  }

  private forEach(node: TreeNode): Statement {
    const variable = node.children.find(({ type }) => type === 'variable_name');
    const group = node.children.find(({ type }) => type === 'do_group' || type === 'compound_statement');
    const inside = node.children.findIndex(({ type }) => type === 'in');
    const words = inside < 0 ? undefined : this.wordsBetween(node.children.slice(inside + 1), group);
    return { type: 'for', variable: variable === undefined ? '' : this.slice(variable), words, body: this.body(group) };
  }

  private wordsBetween(nodes: readonly TreeNode[], group: TreeNode | undefined): string {
    const words = nodes.filter((node) => node !== group && node.type !== ';' && node.type !== '\n');
    return words.map((node) => this.slice(node)).join(' ');
  }

  private countedFor(node: TreeNode): Statement {
    const body = this.body(node.children.find(({ type }) => type === 'do_group' || type === 'compound_statement'));
    const head = this.text.slice(node.start, node.children.find(({ type }) => type === '))')?.start ?? node.end);
    const condition = head.split(';')[1]?.trim();
    const loop: Statement =
      condition === '' || condition === '1'
        ? { type: 'endless-for', body }
        : { type: 'for', variable: /\(\(\s*(\w+)/.exec(head)?.[1] ?? '', words: undefined, body };
    return SUBSTITUTION.test(head) ? { type: 'block', body: [{ type: 'test', text: head, span: node }, loop], subshell: false } : loop;
  }

  private choice(node: TreeNode): Statement {
    const subject = node.children[1];
    const items = node.children.filter(({ type }) => type === 'case_item');
    const branches = items.map(({ children }): Branch => {
      const close = children.findIndex(({ type }) => type === ')');
      const span = { start: children[0]?.start ?? 0, end: children[close]?.start ?? 0 };
      const text = this.slice(span);
      return { condition: SUBSTITUTION.test(text) ? [{ type: 'test', text, span }] : [], body: this.sequence(children.slice(close + 1)) };
    });
    return { type: 'case', subject: subject === undefined ? '' : this.slice(subject), branches };
  }

  private definition(node: TreeNode): Statement {
    const name = node.children.find(({ type }) => type === 'word');
    const redirections = node.children.filter(({ type }) => REDIRECTIONS.has(type));
    const body = node.children.findLast(({ type, children }) => children.length > 0 && !REDIRECTIONS.has(type));
    const statements = body === undefined ? [] : this.item({ operator: '', node: body, redirections, negated: false });
    return {
      type: 'function',
      name: name === undefined ? '' : this.slice(name),
      body: { type: 'block', body: statements, subshell: false },
    };
  }

  private slice({ start, end }: Span): string {
    return this.text.slice(start, end);
  }
}

/** `!` is for the pipeline behind it. */
function negateFirst([first, ...rest]: readonly Item[]): Item[] {
  return first === undefined ? [] : [{ ...first, negated: !first.negated }, ...rest];
}

function pipe(parts: readonly Statement[]): Statement[] {
  return parts.length > 1 ? [{ type: 'pipeline', parts }] : [...parts];
}
