import { runScript } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

interface Case {
  readonly bad: string;
  readonly good: string;
  readonly path?: string;
}

const body = (lines: number): string => '  one();\n'.repeat(lines);

/** For every rule a breach, and the nearest thing that is allowed. */
const cases: Readonly<Record<string, Case>> = {
  'file-lines': { bad: 'export {};\n'.repeat(401), good: 'export {};\n'.repeat(400) },
  'function-lines': { bad: `export function f() {\n${body(59)}}\n`, good: `export function f() {\n${body(58)}}\n` },
  parameters: {
    bad: 'export function f(a: 1, b: 1, c: 1, d: 1) {}\n',
    good: 'export function f(a: 1, b: 1, c: 1, signal: AbortSignal) {}\n/** Why four. */\nexport function g(a: 1, b: 1, c: 1, d: 1) {}\n',
  },
  any: { bad: 'export const x: any = 1;\n', good: 'export const any: unknown = 1;\n' },
  enum: { bad: 'export enum E { A }\n', good: "export type E = 'A';\n" },
  'export-star': { bad: "export * from './x.js';\n", good: "export { x } from './x.js';\n" },
  'default-export': { bad: 'export default 1;\n', good: 'export const one = 1;\n' },
  'silent-catch': {
    bad: 'try { f(); } catch { g(); }\n',
    good: 'try { f(); } catch (error) { log(error); }\np.catch((error) => log(error));\n',
  },
  'async-executor': { bad: 'new Promise(async (done) => done());\n', good: 'new Promise((done) => done());\n' },
  'json-parse': { bad: 'JSON.parse(text);\n', good: 'JSON.stringify(text);\n' },
  'process-env': { bad: 'f(process.env.HOME);\n', good: 'f(process.argv);\n' },
  console: { bad: 'console.error(1);\n', good: 'log.error(1);\n' },
  'request-scope': { bad: 'f({ scope: Scope.REQUEST });\n', good: 'f({ scope: Scope.DEFAULT });\n' },
  'string-token': { bad: "class A { constructor(@Inject('x') x: X) {} }\n", good: 'class A { constructor(@Inject(X) x: X) {} }\n' },
  cast: { bad: 'f(x as X);\n', good: 'f(x as X); // the type of the platform is too wide\nf([1] as const);\n' },
};

const folders = ['apps/o', 'libs/planted', 'test', 'scripts', 'docs/guides', 'native', 'examples', 'config'];

describe('the source guard', () => {
  let tree: TempTree;
  let output: string;
  let code: number | null;

  beforeAll(async () => {
    tree = new TempTree();
    for (const [rule, { bad, good }] of Object.entries(cases)) {
      tree.add(`libs/planted/src/${rule}-bad.ts`, bad);
      tree.add(`libs/planted/src/${rule}-good.ts`, good);
    }
    tree.add('libs/planted/src/swallowed-bad.ts', 'p.catch(() => undefined);\np.catch(() => {});\n');
    tree.add('libs/planted/src/parse-allowed.ts', 'JSON.parse(text);\n');
    tree.add('libs/config/src/allowed.ts', 'f(process.env.HOME);\n');
    tree.add('libs/planted/src/many-casts.ts', 'f(x as X); // explained\n'.repeat(9));
    tree.add('libs/planted/src/constructor.ts', 'class A { constructor(a: 1, b: 1, c: 1, d: 1, e: 1, f: 1) {} }\n');
    tree.add('native/long.c', '\n'.repeat(401));
    for (const folder of folders) tree.add(`${folder}/silent.mjs`, 'try { f(); } catch {}\n');
    ({ stdout: output, code } = await runScript('scripts/guard-source.mjs', [tree.root]));
  });
  afterAll(() => tree.remove());

  const complaintsAbout = (file: string): readonly string[] => output.split('\n').filter((line) => line.includes(`/${file}:`));

  it.each(Object.keys(cases))('reports a breach of %s, with advice', (rule) => {
    expect(complaintsAbout(`${rule}-bad.ts`)).toEqual([expect.stringMatching(new RegExp(`:\\d+: ${rule}: \\w.{10,}`))]);
  });

  it.each(Object.keys(cases))('lets pass what keeps to %s', (rule) => {
    expect(complaintsAbout(`${rule}-good.ts`)).toEqual([]);
  });

  it('reports both ways to swallow the error of a promise', () => {
    expect(complaintsAbout('swallowed-bad.ts')).toHaveLength(2);
  });

  it('knows the places that a rule leaves alone', () => {
    expect([...complaintsAbout('parse-allowed.ts'), ...complaintsAbout('allowed.ts')]).toEqual([]);
  });

  it('allows a constructor five parameters', () => {
    expect(complaintsAbout('constructor.ts')).toEqual([expect.stringContaining(': parameters: ')]);
  });

  it.each(folders)('looks into %s', (folder) => {
    expect(output).toContain(`${folder}/silent.mjs:1: silent-catch: `);
  });

  it('measures C files too', () => {
    expect(complaintsAbout('long.c')).toHaveLength(1);
  });

  it('counts casts against the lines of the product', () => {
    expect(output).toMatch(/^sources: casts: /m);
  });

  it('fails, and says so when it sees too few files to be true', () => {
    expect(output).toContain('the guard is blind');
    expect(code).toBe(1);
  });
});
