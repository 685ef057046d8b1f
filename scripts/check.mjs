// npm run check [-- STEP ...]: everything that holds without running the product. Steps: see the table.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
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

/** Resolves with `{ passed, said }`, where `said` is a list of [stream, piece]. */
function node(...args) {
  const env = { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) };
  const child = spawn(pinnedNode(root) ?? process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  child.stdout.on('data', (piece) => said.push([process.stdout, piece]));
  child.stderr.on('data', (piece) => said.push([process.stderr, piece]));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ passed: code === 0, said }));
  });
}

async function runStep(name) {
  const started = performance.now();
  const { passed, said } = await STEPS[name]();
  for (const [stream, piece] of said) stream.write(piece);
  process.stdout.write(`check: ${name}: ${passed ? 'ok' : 'FAILED'} (${Math.round(performance.now() - started)} ms)\n`);
  return passed;
}

/** Two at a time where there is a second processor; the longest is first. */
async function runSteps(names) {
  const waiting = [...names];
  const results = [];
  const lane = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) results.push(await runStep(name));
  };
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, lane));
  return results;
}

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(STEPS, name));
if (unknown.length > 0) {
  process.stderr.write(`check: no such step: ${unknown.join(' ')} (steps: ${Object.keys(STEPS).join(' ')})\n`);
  process.exit(2);
}
const results = await runSteps(wanted.length > 0 ? wanted : Object.keys(STEPS));
const failed = results.filter((passed) => !passed).length;
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 ? 1 : 0;
