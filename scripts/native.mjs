// node scripts/native.mjs: builds the sandbox helper from native/*.c when a source is newer.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { reportStops, Stop } from './stop.mjs';

const FLAGS = ['-O2', '-Wall', '-Wextra', '-Werror', '-s'];

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
  const inputs = filesOf(root).map((file) => statSync(file).mtimeMs);
  if (existsSync(target) && statSync(target).mtimeMs >= Math.max(...inputs)) return;
  const compiler = [process.env.CC, 'cc', 'gcc', 'clang'].find((name) => name && answers(name));
  if (compiler) {
    compile(root, compiler, target);
    say(`sandbox helper built with ${compiler}`);
  } else if (!existsSync(prebuiltHelper(root))) {
    throw new Stop(
      'no C compiler was found (tried cc, gcc, clang) to build the sandbox helper, without which no tool may run; install one (Debian, Ubuntu: apt-get install -y gcc libc6-dev) and run the command again',
    );
  }
}

function filesOf(root) {
  const folder = join(root, 'native');
  const names = readdirSync(folder).filter((name) => /\.[ch]$/.test(name));
  return [folder, ...names.map((name) => join(folder, name))];
}

function answers(compiler) {
  return spawnSync(compiler, ['--version'], { stdio: 'ignore' }).status === 0;
}

function compile(root, compiler, target) {
  const sources = filesOf(root).filter((file) => file.endsWith('.c'));
  const draft = `${target}.${process.pid}`;
  let complaint = '';
  mkdirSync(dirname(target), { recursive: true });
  for (const link of [['-static'], []]) {
    const { status, stderr } = spawnSync(compiler, [...FLAGS, ...link, '-o', draft, ...sources], { encoding: 'utf8' });
    if (status === 0) return renameSync(draft, target);
    complaint = stderr;
  }
  rmSync(draft, { force: true });
  throw new Stop(`${compiler} could not build the sandbox helper (Debian, Ubuntu: are gcc and libc6-dev installed?):\n${complaint}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  await reportStops('native', () => buildHelper(root, (text) => process.stderr.write(`native: ${text}\n`)));
}
