// node scripts/setup.mjs [SCRIPT [ARGS]]: makes this checkout runnable, then runs SCRIPT on the pinned Node.
// It and what it imports use only Node's own modules and what Node 18 understands, because any Node may start it.
import { spawn } from 'node:child_process';
import { existsSync, realpathSync, statSync, readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { installDependencies } from './install.mjs';
import { buildHelper } from './native.mjs';
import { pinnedNode } from './pinned-node.mjs';
import { quietly } from './quietly.mjs';
import { withLock } from './setup-lock.mjs';
import { reportStops, Stop } from './stop.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function prepare() {
  refuseUnlessPossible();
  installDependencies(root, say);
  const node = chooseNode();
  buildHelper(root, say);
  buildBundles(node);
  return node;
}

function refuseUnlessPossible() {
  if (process.platform !== 'linux')
    throw new Stop(`Ollie runs on Linux only, and this is ${process.platform}; use a Linux machine, container or virtual machine`);
  if (isOlder(18, 0)) throw tooOld();
}

function chooseNode() {
  const pinned = pinnedNode(root);
  if (pinned) return pinned;
  if (isOlder(20, 19)) throw tooOld();
  return process.execPath;
}

function tooOld() {
  return new Stop(`Node ${process.version} is too old; install Node 20.19 or later and run the command again`);
}

function isOlder(major, minor) {
  const [, haveMajor, haveMinor] = /^v(\d+)\.(\d+)/.exec(process.version).map(Number);
  return haveMajor < major || (haveMajor === major && haveMinor < minor);
}

function buildBundles(node) {
  const sources = ['apps', 'libs', 'scripts/bundle.mjs', 'scripts/decorators.mjs', 'package-lock.json', 'tsconfig.json'];
  const stamp = join(root, 'dist/bin/.built');
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= Math.max(...sources.map((path) => newest(join(root, path))))) return;
  const started = Date.now();
  const { status } = quietly(node, [join(root, 'scripts/bundle.mjs')], root);
  if (status !== 0) throw new Stop('the programs could not be built (the reason is above)');
  say(`programs built in ${Date.now() - started} ms`);
}

/** Folders count too: their time tells of a file that was taken away. */
function newest(path) {
  const stat = statSync(path);
  const inside = stat.isDirectory() ? readdirSync(path).map((name) => newest(join(path, name))) : [];
  return Math.max(stat.mtimeMs, ...inside);
}

async function run(node, script, args) {
  const bin = join(root, 'node_modules/.bin');
  const path = (process.env.PATH || '').split(delimiter);
  if (!path.includes(bin)) process.env.PATH = [bin, ...path].join(delimiter);
  const file = resolve(root, script);
  if (realpathSync(process.execPath) !== realpathSync(node)) return runOn(node, [file, ...args]);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

function runOn(node, args) {
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}

await reportStops('setup', async () => {
  const [script, ...args] = process.argv.slice(2);
  const node = withLock(join(root, '.setup.lock'), prepare, say);
  if (script) await run(node, script, args);
});
