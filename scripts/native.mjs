// node scripts/native.mjs: builds the sandbox helper from native/*.c when a source is newer.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportStops, Stop } from './stop.mjs';

const FLAGS = ['-O2', '-Wall', '-Wextra', '-Werror', '-s'];
/** Its start takes a third of that of glibc's static programs (docs/performance.md); the kernel's headers are the system's. */
const SMALL = 'musl-gcc';
const KERNEL_HEADERS = ['/usr/include', `/usr/include/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`];

/** Where a helper that needs no compiler is packaged. */
export function prebuiltHelper(root) {
  return join(root, `native/prebuilt/${process.platform}-${process.arch}/ollie-sandbox`);
}

/**
 * Makes native/build/ollie-sandbox current: static, so that it runs on any host it is copied to, else dynamic.
 * Without a compiler the prebuilt helper serves; without either this is a Stop, because no tool runs without the helper.
 */
export function buildHelper(root, say) {
  const target = join(root, 'native/build/ollie-sandbox');
  const compilers = compilersHere();
  if (isCurrent(root, target, compilers[0])) return;
  if (compilers.length > 0) say(`sandbox helper built with ${compile(root, compilers, target)}`);
  else if (!existsSync(prebuiltHelper(root))) {
    throw new Stop(
      'no C compiler was found (tried cc, gcc, clang) to build the sandbox helper, without which no tool may run; install one (Debian, Ubuntu: apt-get install -y gcc libc6-dev) and run the command again',
    );
  }
}

/** CC if it is set, else the small one and behind it, or alone, what is usual. */
function compilersHere() {
  if (answers(process.env.CC)) return [process.env.CC];
  const usual = ['cc', 'gcc', 'clang'].find(answers);
  return [...(answers(SMALL) ? [SMALL] : []), ...(usual ? [usual] : [])];
}

/** Newer than its sources, and by the compiler that would be the first. */
function isCurrent(root, target, first) {
  const inputs = filesOf(root).map((file) => statSync(file).mtimeMs);
  if (!existsSync(target) || statSync(target).mtimeMs < Math.max(...inputs)) return false;
  return first === undefined || !existsSync(triedFirst(target)) || readFileSync(triedFirst(target), 'utf8') === first;
}

/** Says which compiler was tried first when it was built. */
function triedFirst(target) {
  return `${target}.compiler`;
}

function filesOf(root) {
  const folder = join(root, 'native');
  const names = readdirSync(folder).filter((name) => /\.[ch]$/.test(name));
  return [folder, ...names.map((name) => join(folder, name))];
}

function answers(compiler) {
  return compiler !== undefined && compiler !== '' && spawnSync(compiler, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** The first compiler that can, static where possible. */
function compile(root, compilers, target) {
  const sources = filesOf(root).filter((file) => file.endsWith('.c'));
  const draft = `${target}.${process.pid}`;
  let complaint = '';
  mkdirSync(dirname(target), { recursive: true });
  for (const compiler of compilers)
    for (const more of waysOf(compiler)) {
      const { status, stderr } = spawnSync(compiler, [...FLAGS, ...more, '-o', draft, ...sources], { encoding: 'utf8' });
      if (status === 0) {
        renameSync(draft, target);
        writeFileSync(triedFirst(target), compilers[0]);
        return compiler;
      }
      complaint = stderr;
    }
  rmSync(draft, { force: true });
  throw new Stop(
    `${compilers.at(-1)} could not build the sandbox helper (Debian, Ubuntu: are gcc and libc6-dev installed?):\n${complaint}`,
  );
}

function waysOf(compiler) {
  return compiler === SMALL ? [['-static', ...KERNEL_HEADERS.flatMap((folder) => ['-idirafter', folder])]] : [['-static'], []];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  await reportStops('native', () => buildHelper(root, (text) => process.stderr.write(`native: ${text}\n`)));
}
