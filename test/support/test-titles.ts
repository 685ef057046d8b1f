import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './run.js';
import { tableOf } from './test-tables.js';

/**
 * The titles of all tests of a file, as they are written there, each with the number of rows that it is tried with: 1 for a test without a
 * table, undefined where the table is not written out; of a shell script those of its checks. Throws where there is no such file.
 */
export function titlesIn(file: string): ReadonlyMap<string, number | undefined> {
  const text = readFileSync(join(root, file), 'utf8');
  if (file.endsWith('.sh')) return new Map([...text.matchAll(/^\s*check '([^']+)'/gm)].map(([, title = '']) => [title, 1]));
  const titles = new Map<string, number | undefined>();
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) ? titleOf(node, source) : undefined;
    if (title !== undefined && ts.isCallExpression(node))
      titles.set(title, sum(titles.has(title) ? titles.get(title) : 0, tableOf(node, source)));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** Of `it('title', run)`, `test.each(rows)('title', run)` and the like; undefined for any other call, and for tests that are left out. */
function titleOf({ expression, arguments: [title, run] }: ts.CallExpression, source: ts.SourceFile): string | undefined {
  let [callee, isLeftOut]: [ts.Expression, boolean] = [expression, false];
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) {
    if (ts.isPropertyAccessExpression(callee)) isLeftOut ||= ['skip', 'todo', 'failing'].includes(callee.name.text);
    callee = callee.expression;
  }
  const isTest = ts.isIdentifier(callee) && ['it', 'test'].includes(callee.text);
  if (!isTest || isLeftOut || !title || !run || !(ts.isStringLiteralLike(title) || ts.isTemplateExpression(title))) return undefined;
  return title.getText(source).slice(1, -1);
}

function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
