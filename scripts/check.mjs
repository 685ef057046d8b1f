// npm run check [-- STEP ...]: everything that holds without running the product. Steps: see the table.
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pinnedNode } from './pinned-node.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const FOLDERS = ['apps', 'libs', 'test', 'scripts', 'examples', 'docs/guides', 'config'];

const STEPS = {
  format: () => node('node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', ...FOLDERS),
  lint: () => node('node_modules/oxlint/bin/oxlint', '--type-aware', '--quiet', ...FOLDERS),
  types: () => node('node_modules/typescript7/bin/tsc', '-p', 'tsconfig.json', '--noEmit'),
  imports: () => node('scripts/guard-imports.mjs'),
  source: () => node('scripts/guard-source.mjs'),
  unused: () => node('node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'),
  docs: () => node('scripts/docs.mjs', '--check'),
  readmes: () => node('scripts/guard-readmes.mjs'),
};

function node(...args) {
  return spawnSync(pinnedNode(root) ?? process.execPath, args, { cwd: root, stdio: ['ignore', 1, 2] }).status === 0;
}

function runStep(name) {
  const started = performance.now();
  const passed = STEPS[name]();
  process.stdout.write(`check: ${name}: ${passed ? 'ok' : 'FAILED'} (${Math.round(performance.now() - started)} ms)\n`);
  return passed;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(STEPS, name));
if (unknown.length > 0) {
  process.stderr.write(`check: no such step: ${unknown.join(' ')} (steps: ${Object.keys(STEPS).join(' ')})\n`);
  process.exit(2);
}
const results = (wanted.length > 0 ? wanted : Object.keys(STEPS)).map(runStep);
const failed = results.filter((passed) => !passed).length;
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
