// node scripts/bundle.mjs: one self-contained program per app in dist/bin, which runs without node_modules.
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { decorators } from './decorators.mjs';
import { startOnce } from './first-start.mjs';
import { lean } from './lean.mjs';
import { namedOnce } from './named-once.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const out = join(root, 'dist/bin');
const STALE_CHUNK_MS = 3_600_000;

/** Optional parts that Nest and other packages ask for only when a feature that needs them is used. */
const EXTERNAL = [
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  '@nestjs/platform-express',
  '@nestjs/platform-socket.io',
  '@grpc/*',
  '@nats-io/*',
  'amqp-connection-manager',
  'amqplib',
  'cache-manager',
  'ioredis',
  'kafkajs',
  'mqtt',
  'typescript',
  'usocket',
  'x11',
];

/** Code from packages that only knows `require` finds one here. */
const REQUIRE = "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** CommonJS output knows no chunks: a relative `import('./x.js')` of app A becomes the file A-x.cjs of its own, or A-x.mjs. */
function lazyFiles(app, modules) {
  return {
    name: 'lazy-files',
    setup(builder) {
      builder.onResolve({ filter: /^\.\// }, ({ kind, path }) => {
        if (kind !== 'dynamic-import') return undefined;
        const name = basename(path, '.js');
        return { path: `./${app}-${name}.${modules.includes(name) ? 'mjs' : 'cjs'}`, external: true };
      });
    },
  };
}

/** Says what js-yaml does not: that importing it does nothing, so that a program which reads no YAML is spared it. */
const withoutSideEffects = {
  name: 'without-side-effects',
  setup(builder) {
    builder.onResolve({ filter: /^js-yaml$/ }, async ({ path, pluginData, ...rest }) => {
      if (pluginData === 'resolving') return undefined;
      const found = await builder.resolve(path, { ...rest, pluginData: 'resolving' });
      return { path: found.path, sideEffects: false };
    });
  },
};

const shared = {
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20.19',
  minify: true,
  keepNames: true, // Nest prints class names, and errors carry theirs
  legalComments: 'none',
  conditions: ['ollie-source'],
  external: EXTERNAL,
  tsconfig: join(root, 'tsconfig.json'),
  absWorkingDir: root,
  outdir: out,
  logLevel: 'warning',
};

/** Where Node keeps what it has compiled, beside the programs, from one start to the next. */
const CACHE = 'compiled';

/** A program is imported by a first module, because what is compiled is kept from then on only. Node 20 does without. */
const firstModule = {
  name: 'first-module',
  setup(builder) {
    builder.onResolve({ filter: /^first:/ }, ({ path }) => ({ path: path.slice('first:'.length), namespace: 'first' }));
    builder.onLoad({ filter: /.*/, namespace: 'first' }, ({ path }) => ({
      contents: `import module from 'node:module';
        module.enableCompileCache?.(import.meta.dirname + '/${CACHE}');
        const loaded = await import('./apps/${path}.ts');
        export const { ${basename(path)} } = loaded;`,
      resolveDir: root,
    }));
  },
};

/** A server: one ES module, plus chunks for what it imports lazily. */
function server(app) {
  return build({
    ...shared,
    entryPoints: { [app]: `first:${app}/src/main` },
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: `chunks/${app}-[name]-[hash]`,
    banner: { js: REQUIRE },
    plugins: [firstModule, ...lean, decorators],
  });
}

/**
 * A command: CommonJS, which starts sooner. `lazy` names the modules of its src folder that it imports when needed, `modules`
 * those of them that have chunks of their own for what they load late: they are ES modules, which export what they are named after.
 */
async function command(app, { lazy = [], modules = [] } = {}) {
  const built = await Promise.all([commonFiles(app, lazy, modules), ...modules.map((name) => moduleFiles(app, name))]);
  return { outputFiles: built.flatMap(({ outputFiles }) => outputFiles) };
}

/** Each by itself: chunks that they share would hold, and load, what any of them needs. */
function moduleFiles(app, name) {
  return build({
    ...shared,
    entryPoints: { [`${app}-${name}`]: `first:${app}/src/${name}` },
    format: 'esm',
    splitting: true,
    outExtension: { '.js': '.mjs' },
    chunkNames: `chunks/${app}-${name}-[name]-[hash]`,
    banner: { js: REQUIRE },
    plugins: [firstModule, withoutSideEffects, decorators],
  });
}

function commonFiles(app, lazy, modules) {
  const entries = [['main', app], ...lazy.map((name) => [name, `${app}-${name}`])];
  return build({
    ...shared,
    entryPoints: Object.fromEntries(entries.map(([source, target]) => [target, join(root, `apps/${app}/src/${source}.ts`)])),
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    plugins: [lazyFiles(app, modules), withoutSideEffects, decorators],
  });
}

/** The program of a tool lies beside its metadata: the sandbox lets tools run what is there. */
async function tool(app) {
  const built = await command(app);
  return {
    outputFiles: built.outputFiles.map((file) => ({ path: join(root, 'config/tools', basename(file.path)), contents: file.contents })),
  };
}

/** Each file appears whole: a program that starts meanwhile sees the old one or the new one. */
function install(files) {
  for (const { path, contents } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.new`, contents);
    renameSync(`${path}.new`, path);
  }
}

/** A running server may still want a chunk of the last build; an old one nobody wants. */
function removeStaleChunks(files) {
  const chunks = join(out, 'chunks');
  const current = new Set(files.map(({ path }) => path));
  for (const name of existsSync(chunks) ? readdirSync(chunks) : []) {
    const file = join(chunks, name);
    if (!current.has(file) && Date.now() - statSync(file).mtimeMs > STALE_CHUNK_MS) rmSync(file);
  }
}

/** WebAssembly that programs load when they need it, from beside themselves. */
const BESIDE = { toolsrv: ['web-tree-sitter/web-tree-sitter.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm'] };

function filesBeside(app) {
  return (BESIDE[app] ?? []).map((path) => ({ path: join(out, basename(path)), contents: readFileSync(join(root, 'node_modules', path)) }));
}

const started = new Date();
const jobs = {
  olliesrv: server,
  toolsrv: server,
  client_9p: tool,
  'ollie-9p': (app) => command(app),
  o: (app) => command(app, { lazy: ['demo', 'mount'], modules: ['gen', 'scripted'] }),
};
const wanted = process.argv.slice(2);
const apps = wanted.length > 0 ? wanted : Object.keys(jobs);
const servers = apps.filter((app) => jobs[app] === server);
const results = await Promise.all(apps.map((app) => jobs[app](app)));
const files = [...namedOnce(results.flatMap((result) => result.outputFiles)), ...apps.flatMap(filesBeside)];
install(files);
removeStaleChunks(files);
if (servers.length > 0) rmSync(join(out, CACHE), { recursive: true, force: true });
await Promise.all(servers.map((app) => startOnce(join(out, `${app}.mjs`), app)));
for (const { path, contents } of files) process.stderr.write(`bundle: ${relative(root, path)} ${Math.ceil(contents.length / 1024)} KiB\n`);
if (wanted.length === 0) {
  writeFileSync(join(out, '.built'), '');
  utimesSync(join(out, '.built'), started, started); // a source saved during the build is newer
}
