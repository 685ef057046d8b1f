import { readFileSync, symlinkSync } from 'node:fs';
import { root, runScript } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const tsconfig = JSON.stringify({ extends: `${root}/tsconfig.json`, compilerOptions: { types: [], rootDir: '.' }, include: ['src'] });
const branches = Array.from({ length: 13 }, (_, i) => `  if (x === ${i}) return ${i};\n`).join('');

/** For every rule of .oxlintrc.json a file that breaks it; `debugger` stands for the category. */
const planted: Readonly<Record<string, string>> = {
  'no-debugger': 'debugger;\nexport {};\n',
  complexity: `export function f(x: number): number {\n${branches}  return 0;\n}\n`,
  'max-depth': `export function f(x: number): void {\n${'for (;;) {\n'.repeat(4)}f(x);\n${'}\n'.repeat(4)}}\n`,
  'no-empty': 'export function f(): void {\n  if (f) {\n  }\n}\n',
  'no-else-return': 'export function f(x: number): number {\n  if (x) {\n    return 1;\n  } else {\n    return 2;\n  }\n}\n',
  'no-var': 'export var x = 1;\n',
  'prefer-const': 'let x = 1;\nexport const y = x;\n',
  eqeqeq: 'export const f = (x: number): boolean => x == 1;\n',
  'no-non-null-assertion': 'export const f = (x?: string): string => x!;\n',
  'no-floating-promises': 'async function f(): Promise<void> {}\nf();\n',
  'no-misused-promises': 'async function f(): Promise<boolean> {\n  return true;\n}\nexport const x = f() ? 1 : 2;\n',
  'await-thenable': 'await 1;\nexport {};\n',
  'only-throw-error': "throw 'text';\nexport {};\n",
  'return-await':
    'export async function f(): Promise<void> {\n  try {\n    return f();\n  } catch (error) {\n    throw new Error(String(error));\n  }\n}\n',
  'switch-exhaustiveness-check': "export function f(x: 'a' | 'b'): void {\n  switch (x) {\n    case 'a':\n  }\n}\n",
  'no-unsafe-argument': "export const f = (x: number): number => f(x);\nf(JSON.parse('1'));\n",
  'no-unsafe-assignment': "export const x: number = JSON.parse('1');\n",
  'no-unsafe-call': "JSON.parse('1')();\nexport {};\n",
  'no-unsafe-member-access': "export const x = String(JSON.parse('1').a);\n",
  'no-unsafe-return': "export const f = (): number => JSON.parse('1');\n",
  'no-unnecessary-type-assertion': "const a: string = 'a'.trim();\nexport const b = a as string;\n",
  'expect-expect': "it('x', () => {\n  String(1);\n});\n",
};

describe('the linter, with the settings of this repository', () => {
  let tree: TempTree;
  let output: string;
  let code: number | null;

  beforeAll(async () => {
    tree = new TempTree({ 'tsconfig.json': tsconfig, 'package.json': '{ "type": "module" }' });
    symlinkSync(`${root}/node_modules`, tree.path('node_modules')); // the linter looks for its type checker there
    for (const [rule, text] of Object.entries(planted)) tree.add(fileOf(rule), text);
    const args = ['--type-aware', '--format=unix', '-c', `${root}/.oxlintrc.json`, 'src'];
    ({ stdout: output, code } = await runScript('node_modules/oxlint/bin/oxlint', args, { cwd: tree.root }));
  });
  afterAll(() => tree.remove());

  it.each(Object.keys(planted))('reports a breach of %s', (rule) => {
    const about = output.split('\n').filter((line) => line.includes(`${fileOf(rule)}:`));
    expect(about.join('\n')).toContain(`(${rule})`);
  });

  it('fails', () => {
    expect(code).not.toBe(0);
  });

  it('has no rule without a breach that is planted here', () => {
    const { rules }: { readonly rules: object } = JSON.parse(readFileSync(`${root}/.oxlintrc.json`, 'utf8'));
    const names = Object.keys(rules).map((name) => name.split('/').at(-1) ?? name);
    expect(names.filter((name) => planted[name] === undefined)).toEqual([]);
  });
});

/** A rule about tests looks at files of tests only. */
function fileOf(rule: string): string {
  return rule === 'expect-expect' ? `src/${rule}.spec.ts` : `src/${rule}.ts`;
}
