import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly } from './quietly.mjs';
import { Stop } from './stop.mjs';

const NPM_ARGUMENTS = [
  'ci',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--prefer-offline',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=1000',
  '--loglevel=error',
];

/** Runs `npm ci` unless what is installed is what package-lock.json names. */
export function installDependencies(root, say) {
  if (isInstalled(root)) return;
  say('installing dependencies (npm ci)');
  const result = runNpm(root);
  if (result.error && result.error.code === 'ENOENT')
    throw new Stop('npm was not found on PATH; install npm 10 or later (Debian, Ubuntu: apt-get install -y npm) and run the command again');
  if (result.status !== 0)
    throw new Stop(
      'npm ci failed (its own words are above); the first run needs the network to reach a package registry, later runs do not: check the connection and run the command again',
    );
}

/** npm tells where its own program is when it runs us, so that PATH does not matter. */
function runNpm(root) {
  const npm = process.env.npm_execpath;
  return npm ? quietly(process.execPath, [npm, ...NPM_ARGUMENTS], root) : quietly('npm', NPM_ARGUMENTS, root);
}

/** npm writes its hidden lock file last, so an install that was cut off does not count. */
function isInstalled(root) {
  const hidden = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(hidden)) return false;
  const present = packagesOf(hidden);
  const wanted = Object.entries(packagesOf(join(root, 'package-lock.json')));
  return wanted.every(([path, { version, optional, link }]) => path === '' || link || hasVersion(present[path], version, optional));
}

function hasVersion(found, version, optional) {
  return found === undefined ? optional === true : found.version === version;
}

function packagesOf(file) {
  return JSON.parse(readFileSync(file, 'utf8')).packages;
}
