import { symlinkSync } from 'node:fs';
import { runScript, root } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const tsconfig = JSON.stringify({ extends: `${root}/tsconfig.json`, compilerOptions: { types: [], rootDir: '.' }, include: ['src'] });

/** Breaches that each tool must report with the settings of this repository. */
describe('the guards that are programs of others', () => {
  let tree: TempTree;

  beforeEach(() => {
    tree = new TempTree({ 'tsconfig.json': tsconfig, 'package.json': '{ "type": "module" }' });
    symlinkSync(`${root}/node_modules`, tree.path('node_modules')); // the linter looks for its type checker there
  });
  afterEach(() => tree.remove());

  it('the formatter refuses a file in another style', async () => {
    const file = tree.add('src/ugly.ts', 'export const x = {a:"b"}\n');
    const { code, stderr } = await runScript('node_modules/prettier/bin/prettier.cjs', [
      '--config',
      `${root}/.prettierrc.json`,
      '--check',
      file,
    ]);
    expect(stderr).toContain('ugly.ts');
    expect(code).not.toBe(0);
  });

  it.each([
    ['no-floating-promises', 'async function f(): Promise<void> {}\nf();\n'],
    ['no-misused-promises', 'async function f(): Promise<boolean> {\n  return true;\n}\nexport const x = f() ? 1 : 2;\n'],
    ['await-thenable', 'await 1;\nexport {};\n'],
    ['switch-exhaustiveness-check', "export function f(x: 'a' | 'b'): void {\n  switch (x) {\n    case 'a':\n  }\n}\n"],
    ['only-throw-error', "throw 'text';\nexport {};\n"],
    ['no-unsafe-assignment', "export const x: number = JSON.parse('1');\n"],
    ['no-non-null-assertion', 'export const f = (x?: string): string => x!;\n'],
    ['no-empty', 'export function f(): void {\n  if (f) {\n  }\n}\n'],
    [
      'complexity',
      `export function f(x: number): number {\n${Array.from({ length: 13 }, (_, i) => `  if (x === ${i}) return ${i};\n`).join('')}  return 0;\n}\n`,
    ],
  ])('the linter reports %s', async (rule, text) => {
    tree.add('src/planted.ts', text);
    const { code, stdout } = await runScript('node_modules/oxlint/bin/oxlint', ['--type-aware', '-c', `${root}/.oxlintrc.json`, 'src'], {
      cwd: tree.root,
    });
    expect(stdout).toContain(`(${rule})`);
    expect(code).not.toBe(0);
  });

  it.each([
    ['noUncheckedIndexedAccess', 'const list: string[] = [];\nexport const first: string = list[0];\n', 'TS2322'],
    ['exactOptionalPropertyTypes', 'export const x: { a?: string } = { a: undefined };\n', 'TS2375'],
    ['strict', 'export function f(x) {\n  return 1;\n}\n', 'TS7006'],
  ])('the type check holds %s', async (_option, text, complaint) => {
    tree.add('src/planted.ts', text);
    const { code, stdout } = await runScript('node_modules/typescript7/bin/tsc', ['-p', tree.root, '--noEmit']);
    expect(stdout).toContain(complaint);
    expect(code).not.toBe(0);
  });

  it('a lib without a README is reported', async () => {
    tree.add('libs/mute/src/index.ts', 'export {};\n');
    const { code, stdout } = await runScript('scripts/guard-readmes.mjs', [tree.root]);
    expect(stdout).toContain('libs/mute: readme:');
    expect(code).toBe(1);
  });
});
