import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runScript, root } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const tsconfig = JSON.stringify({ extends: `${root}/tsconfig.json`, compilerOptions: { types: [], rootDir: '.' }, include: ['src'] });

/** Breaches that each tool must report with the settings of this repository. */
describe('the guards that are programs of others', () => {
  let tree: TempTree;

  beforeEach(() => {
    tree = new TempTree({ 'tsconfig.json': tsconfig, 'package.json': '{ "type": "module" }' });
  });
  afterEach(() => tree.remove());

  it.each([
    ['lets pass', `export const x = { a: '${'b'.repeat(110)}' };\n`, 0],
    ['refuses', 'export const x = { a: "b" };\n', 1],
    ['refuses', "export const x = {a: 'b'}\n", 1],
  ])('the formatter %s %j', async (_what, text, expected) => {
    const file = tree.add('src/planted.ts', text);
    const args = ['--config', `${root}/.prettierrc.json`, '--check', file];
    const { code, stderr } = await runScript('node_modules/prettier/bin/prettier.cjs', args);
    expect([code, stderr.includes('planted.ts')]).toEqual([expected, expected === 1]);
  });

  it.each([
    ['noUncheckedIndexedAccess', 'const list: string[] = [];\nexport const first: string = list[0];\n', 'TS2322'],
    ['exactOptionalPropertyTypes', 'export const x: { a?: string } = { a: undefined };\n', 'TS2375'],
    ['strict', 'export function f(x) {\n  return 1;\n}\n', 'TS7006'],
    ['noImplicitOverride', 'class A {\n  a() {}\n}\nexport class B extends A {\n  a() {}\n}\n', 'TS4114'],
    [
      'noFallthroughCasesInSwitch',
      'export function f(x: number): void {\n  switch (x) {\n    case 1:\n      f(0);\n    case 2:\n      f(1);\n  }\n}\n',
      'TS7029',
    ],
  ])('the type check holds %s', async (_option, text, complaint) => {
    tree.add('src/planted.ts', text);
    const { code, stdout } = await runScript('node_modules/typescript7/bin/tsc', ['-p', tree.root, '--noEmit']);
    expect(stdout).toContain(complaint);
    expect(code).not.toBe(0);
  });

  it('an export, a file and a dependency that nobody uses are reported', async () => {
    tree.add('knip.json', readFileSync(join(root, 'knip.json'), 'utf8'));
    tree.add('package.json', '{ "type": "module", "dependencies": { "nobody-needs-this": "1.0.0" } }');
    tree.add('libs/x/src/index.ts', "export { used } from './parts.js';\n");
    tree.add('libs/x/src/parts.ts', 'export const used = 1;\nexport const dead = 2;\n');
    tree.add('libs/x/src/forgotten.ts', 'export const forgotten = 3;\n');
    const { code, stdout } = await runScript('node_modules/knip/bin/knip.js', ['--no-progress'], { cwd: tree.root });
    for (const complaint of [/^dead .*parts\.ts/m, /^libs\/x\/src\/forgotten\.ts/m, /^nobody-needs-this /m])
      expect(stdout).toMatch(complaint);
    expect(stdout).not.toMatch(/^used /m);
    expect(code).toBe(1);
  });

  it('a lib without a README is reported', async () => {
    tree.add('libs/mute/src/index.ts', 'export {};\n');
    const { code, stdout } = await runScript('scripts/guard-readmes.mjs', [tree.root]);
    expect(stdout).toContain('libs/mute: readme:');
    expect(code).toBe(1);
  });
});
