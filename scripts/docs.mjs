// npm run docs: writes docs/namespace.md from the tables of both servers; --check only compares.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { decorators } from './decorators.mjs';
import { reportStops, Stop } from './stop.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const HEAD = `# The namespace

<!-- Written by \`npm run docs\` from the tables in apps/olliesrv and apps/toolsrv. Change those, not this page. -->

Every file that the two servers offer, with its mode and kind. \`{name}\` stands for any name of that sort.
`;

const TABLES = `
  import { renderReference } from '#virtfs';
  import { olliesrvNamespace } from './apps/olliesrv/src/namespace/root.js';
  import { toolsrvNamespace } from './apps/toolsrv/src/namespace/root.js';
  export const sections = {
    olliesrv: renderReference(olliesrvNamespace, 'markdown'),
    toolsrv: renderReference(toolsrvNamespace, 'markdown'),
  };
`;

/** The tables are TypeScript: they are bundled to a file beside node_modules, and that is imported. */
async function sections() {
  const file = join(root, `dist/docs/tables-${process.pid}.mjs`);
  mkdirSync(dirname(file), { recursive: true });
  await build({
    stdin: { contents: TABLES, resolveDir: root, loader: 'ts' },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    conditions: ['ollie-source'],
    tsconfig: join(root, 'tsconfig.json'),
    plugins: [decorators, sourceOfLibs],
    logLevel: 'warning',
  });
  const tables = await import(pathToFileURL(file).href);
  rmSync(file);
  return tables.sections;
}

/** "packages: external" would leave our own #libs out too. */
const sourceOfLibs = {
  name: 'source-of-libs',
  setup(builder) {
    builder.onResolve({ filter: /^#/ }, ({ path }) => ({ path: join(root, `libs/${path.slice(1)}/src/index.ts`) }));
  },
};

async function page() {
  const parts = Object.entries(await sections()).map(([name, text]) => `\n## ${name}\n\n${text.trim()}\n`);
  return HEAD + parts.join('');
}

await reportStops('docs', async () => {
  const args = process.argv.slice(2);
  const file = resolve(args.find((argument) => !argument.startsWith('--')) ?? join(root, 'docs/namespace.md'));
  const text = await page();
  if (!args.includes('--check')) return writeFileSync(file, text);
  const current = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (current !== text) throw new Stop(`${file} is not what the tables say; run: npm run docs`);
});
