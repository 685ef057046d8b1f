import { root, run, runScript } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const lib = (name: string): string => `libs/${name}/src/index.ts`;
const empty = 'export {};\n';

/** For every rule of .dependency-cruiser.mjs a file that breaks it. */
const planted: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  resolves: { 'libs/config/src/lost.ts': "import './nowhere.js';\n" },
  'no-cycles': { 'libs/config/src/a.ts': "import './b.js';\n", 'libs/config/src/b.ts': "import './a.js';\n" },
  'libs-never-import-apps': { 'libs/config/src/up.ts': "import '../../../apps/olliesrv/src/main.js';\n" },
  'apps-never-import-each-other': { 'apps/olliesrv/src/main.ts': "import '../../toolsrv/src/main.js';\n" },
  'only-through-index': { 'apps/olliesrv/src/inner.ts': "import '../../../libs/config/src/a.js';\n" },
  'every-lib-has-arrows': { 'libs/stranger/src/index.ts': "import '#config';\n" },
  'plain-core-knows-no-nest': { 'libs/virtfs/src/nest.ts': "import '@nestjs/common';\n" },
  'small-commands-load-no-nest': { 'apps/o/src/main.ts': "import '#lifecycle';\n", [lib('lifecycle')]: "import '@nestjs/common';\n" },
  'toolsrv-knows-no-llm-nor-bus': { 'apps/toolsrv/src/main.ts': "import 'openai';\n" },
  'bus-library-is-loaded-when-there-is-a-bus': { 'apps/olliesrv/src/bus.ts': "import 'dbus-next';\n" },
  'testkit-only-in-tests': { 'apps/olliesrv/src/fake.ts': "import '#testkit';\n", [lib('testkit')]: empty },
};

const fakePackages = {
  'node_modules/@nestjs/common/package.json': '{ "name": "@nestjs/common", "main": "index.js" }',
  'node_modules/@nestjs/common/index.js': '',
  'node_modules/openai/package.json': '{ "name": "openai", "main": "index.js" }',
  'node_modules/openai/index.js': '',
  'node_modules/dbus-next/package.json': '{ "name": "dbus-next", "main": "index.js" }',
  'node_modules/dbus-next/index.js': '',
  'package.json': '{ "type": "module", "imports": { "#*": { "ollie-source": "./libs/*/src/index.ts" } } }',
};

describe('the import guard', () => {
  let rules: readonly string[];
  let tree: TempTree;

  beforeAll(async () => {
    rules = await ruleNames();
    const arrows = rules.filter((name) => name.startsWith('arrows-')).map((name) => name.slice('arrows-'.length));
    tree = new TempTree({ ...fakePackages, [lib('config')]: empty });
    for (const name of arrows) tree.add(`libs/${name}/src/forbidden.ts`, "import '#stranger';\n");
    for (const files of Object.values(planted)) for (const [path, text] of Object.entries(files)) tree.add(path, text);
  });
  afterAll(() => tree.remove());

  it('reports a planted breach of each rule, and fails', async () => {
    const { code, stdout } = await runScript('scripts/guard-imports.mjs', [tree.root]);
    const seen = new Set(stdout.split('\n').map((line) => line.split(':')[0]));
    expect(rules.filter((rule) => !seen.has(rule))).toEqual([]);
    expect(code).toBe(1);
  });

  it('fails when it sees too few modules to be true', async () => {
    const few = new TempTree({ 'package.json': '{}', [lib('config')]: empty, 'apps/o/src/main.ts': empty });
    const { code, stdout } = await runScript('scripts/guard-imports.mjs', [few.root]);
    few.remove();
    expect(stdout).toContain('the guard is blind');
    expect(code).toBe(1);
  });
});

async function ruleNames(): Promise<readonly string[]> {
  const script = `import('${root}/.dependency-cruiser.mjs').then((m) => process.stdout.write(m.default.forbidden.map((r) => r.name).join(' ')))`;
  const { stdout } = await run(process.execPath, ['-e', script]);
  return stdout.split(' ');
}
