import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { median, timed } from './_measure.mjs';
import { root } from './_servers.mjs';

const WARM_ROUNDS = 400;
const ROUNDS = 1_000;
const CONTEXT = { cwd: '/home/dev/work/project', home: '/home/dev' };

/** What an agent's shell call looks like, by the line. */
const LINES = [
  'git status --short && git diff --stat HEAD~1 -- src/',
  'npm run build --workspaces --if-present 2>&1 | tail -n 40',
  'for f in src/*.ts; do grep -n "TODO" "$f" || true; done',
  'rm -rf "$BUILD_DIR/out" dist/*.map node_modules/.cache',
  "find . -name '*.orig' -not -path './node_modules/*' -print0 | xargs -0 rm -f",
  'export PATH="$PWD/node_modules/.bin:$PATH"; tsc --noEmit -p tsconfig.json',
  'curl -fsS http://localhost:3000/health | jq -r .status > health.txt',
  'if [ -f .env ]; then set -a; . ./.env; set +a; else cp .env.example .env; fi',
  "sed -i.bak -e 's/foo/bar/g' -- config/*.yaml && git add -A",
];

function script(bytes) {
  let text = '';
  for (let line = 0; text.length < bytes; line += 1) text += `${LINES[line % LINES.length]}\n`;
  return text.slice(0, text.lastIndexOf('\n', bytes));
}

/** The guard is TypeScript: it is bundled to a file beside node_modules, and that is imported. */
async function loadGuard() {
  const folder = join(root, `dist/bench-${process.pid}`);
  const outfile = join(folder, 'guard.mjs');
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [join(root, 'libs/guard/src/index.ts')],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    conditions: ['ollie-source'],
    tsconfig: join(root, 'tsconfig.json'),
    logLevel: 'error',
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function warmMedian(guard, command) {
  const times = [];
  for (let round = 0; round < WARM_ROUNDS; round += 1) guard.judge(command, CONTEXT);
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(() => guard.judge(command, CONTEXT)));
  return median(times);
}

/** Parsing and judging a command, warm; and loading parser and rules, which happens once. */
export async function rows() {
  const { Guard } = await loadGuard();
  let guard;
  const load = await timed(async () => (guard = await Guard.load(join(root, 'config/guard.yaml'))));
  const judged = [];
  for (const [name, command] of [
    ['judge one line', LINES[0]],
    ['judge 512 B', script(512)],
    ['judge 4 KiB', script(4096)],
  ])
    judged.push({ name, value: await warmMedian(guard, command), unit: 'ms' });
  return [{ name: 'load parser and rules, once', value: load, unit: 'ms' }, ...judged];
}
