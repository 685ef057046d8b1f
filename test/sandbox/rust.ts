import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Rust's compiler and its libraries lie; undefined where there is none. */
export function rustSysroot(): string | undefined {
  const { status, stdout } = spawnSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' });
  const path = status === 0 ? stdout.trim() : '';
  return existsSync(join(path, 'bin/cargo')) ? path : undefined;
}

/**
 * Gives the directory of the programs. What builds a crate gets further names below `~/.rustup` of another user, who may
 * not look into this one's.
 */
export function shareRust(sysroot: string, home: string): string {
  if (sysroot.startsWith('/usr')) return join(sysroot, 'bin');
  const target = join(home, '.rustup/toolchains/shared');
  const libraries = readdirSync(join(sysroot, 'lib')).filter((name) => name.includes('.so'));
  const hosts = readdirSync(join(sysroot, 'lib/rustlib')).filter((name) => existsSync(join(sysroot, 'lib/rustlib', name, 'lib')));
  share(sysroot, join(target, 'bin'), ['bin/cargo', 'bin/rustc']);
  share(
    sysroot,
    join(target, 'lib'),
    libraries.map((name) => `lib/${name}`),
  );
  share(
    sysroot,
    join(target, 'lib/rustlib'),
    hosts.map((name) => `lib/rustlib/${name}`),
  );
  return join(target, 'bin');
}

/** Hard links, or copies where those cannot be. */
function share(from: string, to: string, names: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  const copies = ['-al', '-a'].some((how) => spawnSync('cp', [how, ...names, to], { cwd: from }).status === 0);
  if (!copies) throw new Error(`${from} could not be shared with ${to}`);
}
