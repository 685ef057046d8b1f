import ts from 'typescript';

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;
const MAX_PARAMETERS = 3;
const MAX_CONSTRUCTOR_PARAMETERS = 5;

/** What every file must keep to, whatever its language, then the rules of TypeScript and JavaScript. */
export function checkFile(path, text) {
  const lines = text.split('\n').length - 1;
  const long =
    lines > MAX_FILE_LINES
      ? [`${path}:${MAX_FILE_LINES + 1}: file-lines: ${lines} lines, at most ${MAX_FILE_LINES}; give one concept a file`]
      : [];
  return /\.[ch]$/.test(path) ? long : [...long, ...checkTree(path, text)];
}

/** How many type assertions a file makes, `as const` left out. */
export function countCasts(path, text) {
  let count = 0;
  visit(parse(path, text), (node) => (count += isCast(node) ? 1 : 0));
  return count;
}

function checkTree(path, text) {
  const file = parse(path, text);
  const rules = RULES.filter(({ applies }) => applies(path));
  const complaints = [];
  visit(file, (node) => {
    for (const { name, advice, finds } of rules) {
      if (finds(node, file)) complaints.push(`${path}:${lineOf(file, node.getStart(file))}: ${name}: ${advice}`);
    }
  });
  return complaints;
}

function parse(path, text) {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
}

function visit(node, see) {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

function lineOf(file, position) {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}

const isTest = (path) => /(\.spec|\.full)\.ts$|^test\/|^libs\/testkit\//.test(path);
const everywhere = () => true;
const inTypeScript = (path) => path.endsWith('.ts');
const inProduct = (path) => inTypeScript(path) && !isTest(path);

const isIdentifier = (node, name) => node !== undefined && ts.isIdentifier(node) && node.text === name;
const isMember = (node, object, name) =>
  ts.isPropertyAccessExpression(node) && isIdentifier(node.expression, object) && (name === undefined || node.name.text === name);
const isCast = (node) => (ts.isAsExpression(node) && !isIdentifier(node.type.typeName, 'const')) || ts.isTypeAssertionExpression(node);

const RULES = [
  {
    name: 'function-lines',
    advice: `more than ${MAX_FUNCTION_LINES} lines; name its stages as functions`,
    applies: (path) => !isTest(path),
    finds: (node, file) =>
      ts.isFunctionLike(node) && node.body && lineOf(file, node.end) - lineOf(file, node.getStart(file)) >= MAX_FUNCTION_LINES,
  },
  {
    name: 'parameters',
    advice: `more than ${MAX_PARAMETERS} parameters (a fourth only where a comment above says why, or for a last AbortSignal or Call); group them in a named type`,
    applies: inProduct,
    finds: hasTooManyParameters,
  },
  {
    name: 'any',
    advice: 'say the type, or `unknown` and narrow it',
    applies: inTypeScript,
    finds: (node) => node.kind === ts.SyntaxKind.AnyKeyword,
  },
  { name: 'enum', advice: 'use a union of string literals', applies: inTypeScript, finds: ts.isEnumDeclaration },
  {
    name: 'export-star',
    advice: 'name what the module offers',
    applies: everywhere,
    finds: (node) => ts.isExportDeclaration(node) && (node.exportClause === undefined || ts.isNamespaceExport(node.exportClause)),
  },
  { name: 'default-export', advice: 'export it by its name', applies: inTypeScript, finds: isDefaultExport },
  {
    name: 'silent-catch',
    advice: 'handle one named error and rethrow the rest, or report it at a boundary',
    applies: everywhere,
    finds: (node) => isSilentClause(node) || isSilentHandler(node),
  },
  {
    name: 'async-executor',
    advice: 'an error thrown in it is lost; write an async function instead',
    applies: everywhere,
    finds: (node) => ts.isNewExpression(node) && isIdentifier(node.expression, 'Promise') && node.arguments?.some(isAsync) === true,
  },
  {
    name: 'json-parse',
    advice: 'use parseJson of #model, or a parse*.ts file that gives a checked type',
    applies: (path) => inProduct(path) && !/\/parse[^/]*\.ts$|^libs\/model\/src\/json\.ts$/.test(path),
    finds: (node) => isMember(node, 'JSON', 'parse'),
  },
  {
    name: 'process-env',
    advice: 'take what you need as an option; only main.ts and libs/config read the environment',
    applies: (path) => inProduct(path) && !/\/main\.ts$|^libs\/config\//.test(path),
    finds: (node) => isMember(node, 'process', 'env'),
  },
  {
    name: 'console',
    advice: 'log through Log of #config; a command writes to process.stdout',
    applies: everywhere,
    finds: (node) => isMember(node, 'console'),
  },
  {
    name: 'request-scope',
    advice: 'keep providers singletons; what a request needs is a parameter',
    applies: inTypeScript,
    finds: (node) => isMember(node, 'Scope', 'REQUEST'),
  },
  {
    name: 'string-token',
    advice: 'inject an abstract class, which is type and token at once',
    applies: inTypeScript,
    finds: isStringToken,
  },
  {
    name: 'cast',
    advice: 'parse or narrow instead; a cast that must stay gives its reason in a comment on its line',
    applies: inProduct,
    finds: isUnexplainedCast,
  },
];

function hasTooManyParameters(node, file) {
  if (!ts.isFunctionLike(node) || !node.parameters) return false;
  if (ts.isConstructorDeclaration(node)) return node.parameters.length > MAX_CONSTRUCTOR_PARAMETERS;
  const count = node.parameters.filter(({ name }) => !isIdentifier(name, 'this')).length;
  if (count <= MAX_PARAMETERS) return false;
  const excused = isSignal(node.parameters.at(-1), file) || hasCommentAbove(node, file);
  return count > MAX_PARAMETERS + 1 || !excused;
}

function isSignal({ name, type }, file) {
  return isIdentifier(name, 'signal') || (type !== undefined && /\b(AbortSignal|Call)\b/.test(type.getText(file)));
}

function hasCommentAbove(node, file) {
  return ts.getLeadingCommentRanges(file.text, node.getFullStart()) !== undefined;
}

function isDefaultExport(node) {
  if (ts.isExportAssignment(node)) return true;
  return ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true;
}

/** A clause that neither throws nor looks at what it caught. */
function isSilentClause(node) {
  if (!ts.isCatchClause(node)) return false;
  let speaks = false;
  const caught = node.variableDeclaration?.name;
  visit(node.block, (inner) => {
    speaks ||= ts.isThrowStatement(inner) || (caught !== undefined && ts.isIdentifier(caught) && isIdentifier(inner, caught.text));
  });
  return !speaks;
}

/** `.catch(() => undefined)`: a handler that takes no error and does nothing. */
function isSilentHandler(node) {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression) || node.expression.name.text !== 'catch') return false;
  const [handler] = node.arguments;
  if (handler === undefined || !ts.isFunctionLike(handler)) return false;
  return ts.isBlock(handler.body) ? handler.body.statements.length === 0 : isNothing(handler.body);
}

function isNothing(node) {
  return isIdentifier(node, 'undefined') || node.kind === ts.SyntaxKind.NullKeyword || ts.isVoidExpression(node);
}

function isAsync(node) {
  return ts.isFunctionLike(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
}

function isStringToken(node) {
  if (!ts.isDecorator(node) || !ts.isCallExpression(node.expression)) return false;
  const {
    expression,
    arguments: [token],
  } = node.expression;
  return isIdentifier(expression, 'Inject') && token !== undefined && ts.isStringLiteralLike(token);
}

function isUnexplainedCast(node, file) {
  if (!isCast(node)) return false;
  const lines = file.text.split('\n').slice(lineOf(file, node.getStart(file)) - 1, lineOf(file, node.end));
  return !lines.some((line) => line.includes('//') || line.includes('/*'));
}
