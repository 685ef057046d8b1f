// npm test [-- JEST ARGUMENTS], npm run test:full: runs the suite, or what the arguments name; --full adds the long runs (*.full.ts).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildHelper } from './native.mjs';
import { reportStops, Stop } from './stop.mjs';
import { runSuite } from './test-suite.mjs';

/** What the tests run besides Node and npm. Tests that need an optional one are skipped without it, which CI counts as failed. */
const PROGRAMS = [
  { program: 'git', package: 'git' },
  { program: 'gcc', package: 'gcc libc6-dev' },
  { program: 'python3', package: 'python3' },
  { program: 'qemu-system-x86_64', package: 'qemu-system-x86', isOptional: true },
  { program: 'diodcat', package: 'diod', isOptional: true },
  { program: 'fusermount3', package: 'fuse3', isOptional: true },
  { program: 'dbus-daemon', package: 'dbus', isOptional: true },
  { program: 'gdbus', package: 'libglib2.0-bin', isOptional: true },
  { program: 'ssh-agent', package: 'openssh-client', isOptional: true },
  { program: 'openssl', package: 'openssl', isOptional: true },
  { program: 'musl-gcc', package: 'musl-tools', isOptional: true },
  { program: 'cargo', package: 'cargo', isOptional: true },
];
/** Programs of administrators lie where the PATH of other users may not look. */
const ADMINISTRATION = ['/usr/sbin', '/sbin'];

function isInstalled(program) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...ADMINISTRATION];
  return folders.some((folder) => existsSync(join(folder, program)));
}

function providePrograms() {
  const missing = PROGRAMS.filter(({ program }) => !isInstalled(program));
  if (missing.length === 0) return;
  const packages = missing.flatMap((entry) => entry.package.split(' '));
  const canInstall = process.getuid() === 0 && isInstalled('apt-get');
  if (canInstall && aptGet('update') && aptGet('install', '-y', '--no-install-recommends', ...packages)) return;
  const names = (entries) => entries.map(({ program }) => program).join(', ');
  const howTo = `(Debian, Ubuntu: apt-get install -y --no-install-recommends ${packages.join(' ')})`;
  const needed = missing.filter(({ isOptional }) => !isOptional);
  if (needed.length > 0) throw new Stop(`the tests need ${names(needed)}; install it ${howTo} and run the command again`);
  process.stderr.write(`test: without ${names(missing)} some tests are skipped ${howTo}\n`);
}

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync('apt-get', ['-q', ...args], { stdio: ['ignore', 2, 2], env }).status === 0;
}

/** A jest in this process, with the arguments that were given. */
async function runJest(args) {
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  process.argv = [process.execPath, jest, ...args];
  await import(pathToFileURL(jest).href);
}

await reportStops('test', async () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  providePrograms();
  // There may be a better compiler now.
  buildHelper(root, (text) => process.stderr.write(`test: ${text}\n`));
  const given = process.argv.slice(2);
  if (given.includes('--full')) process.env.OLLIE_TEST_FULL = '1';
  const args = given.filter((argument) => argument !== '--full');
  process.chdir(root);
  await (args.length === 0 ? runSuite(root) : runJest(args));
});
