import ts from 'typescript';

/** How many rows a test is tried with: 1 without a table; undefined for one that is not written out in this file. */
export function tableOf({ expression }: ts.CallExpression, source: ts.SourceFile): number | undefined {
  if (!ts.isCallExpression(expression) || !isEach(expression.expression)) return 1;
  const [table] = expression.arguments;
  return table === undefined ? undefined : rowsOf(table, source);
}

function isEach(callee: ts.Expression): boolean {
  return ts.isPropertyAccessExpression(callee) && callee.name.text === 'each';
}

function rowsOf(table: ts.Expression, source: ts.SourceFile): number | undefined {
  if (ts.isAsExpression(table) || ts.isSatisfiesExpression(table)) return rowsOf(table.expression, source);
  if (ts.isArrayLiteralExpression(table)) return table.elements.some(ts.isSpreadElement) ? undefined : table.elements.length;
  if (!ts.isIdentifier(table)) return undefined;
  const value = valueOf(table.text, source);
  return value === undefined ? undefined : rowsOf(value, source);
}

/** What a constant of that name is; undefined where several have it. */
function valueOf(name: string, source: ts.SourceFile): ts.Expression | undefined {
  const found: (ts.Expression | undefined)[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.name.text === name) found.push(node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found.length === 1 ? found[0] : undefined;
}
