import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { inodeNumber } from './attributes.js';

/** The process of a thread; the number itself when /proc does not tell. */
export function processOf(thread: number): number {
  const [, group] = /^Tgid:\s*(\d+)$/m.exec(contentOf(`/proc/${thread}/status`)) ?? [];
  return group === undefined ? thread : Number(group);
}

/**
 * Whether the process has a descriptor of the file with this qid path and last name. Asks /proc only,
 * never the file system of the file. False for a process that is gone, ends, or may not be looked into.
 */
export function hasDescriptor(pid: number, file: { readonly path: number; readonly name: string }): boolean {
  const inode = new RegExp(`^ino:\\s*${inodeNumber(file.path)}$`, 'm');
  return descriptorsOf(pid).some(
    (number) => targetOf(`/proc/${pid}/fd/${number}`).endsWith(`/${file.name}`) && inode.test(contentOf(`/proc/${pid}/fdinfo/${number}`)),
  );
}

function descriptorsOf(pid: number): readonly string[] {
  return orElse(() => readdirSync(`/proc/${pid}/fd`), []);
}

function targetOf(link: string): string {
  return orElse(() => readlinkSync(link), '');
}

function contentOf(file: string): string {
  return orElse(() => readFileSync(file, 'utf8'), '');
}

/** Processes end while they are looked at, and may forbid it. */
function orElse<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'syscall' in error) return otherwise;
    throw error;
  }
}
