import { execFile } from 'node:child_process';
import { mkdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { MountError } from './errors.js';
import { mountTable } from './mount-table.js';

const OURS = 'fuse.ollie';

/** The real path of a directory to mount on; made (0700) if it is missing, freed of a mount whose server is dead. MountError where a server lives. */
export async function prepareMountPoint(helper: string, directory: string): Promise<string> {
  await mkdir(dirname(resolve(directory)), { recursive: true, mode: 0o700 });
  const path = await realPlace(directory);
  while (isOurs(path)) {
    if (!(await isDead(path))) throw new MountError(`${path} is mounted already; to take that away: o umount ${path}`);
    await unmount(helper, path);
  }
  await ensureDirectory(path);
  return path;
}

/** Takes a mount of ours away, open files or not. MountError for a place where there is none, or when it is refused. */
export async function unmountPoint(helper: string, directory: string): Promise<void> {
  const path = await realPlace(directory);
  if (!isOurs(path)) throw new MountError(`${path} is no mount of ollie`);
  await unmount(helper, path);
}

/** As unmountPoint, for a place that may be free already. */
export async function clearMountPoint(helper: string, path: string): Promise<void> {
  if (isOurs(path) && (await isDead(path))) await unmount(helper, path);
}

/**
 * Where a mount on the directory is in the table of mounts, whether it is there or not. The last name is
 * asked about only whether it is a link: all else would ask a server that may be dead.
 */
async function realPlace(directory: string): Promise<string> {
  const path = resolve(directory);
  if (await isLink(path)) return orElse(realpath(path), ['ENOENT'], path);
  const parent = dirname(path);
  return join(await orElse(realpath(parent), ['ENOENT'], parent), basename(path));
}

async function isLink(path: string): Promise<boolean> {
  return (await orElse(readlink(path), ['EINVAL', 'ENOENT'], undefined)) !== undefined;
}

async function orElse<T, U>(look: Promise<T>, codes: readonly string[], otherwise: U): Promise<T | U> {
  try {
    return await look;
  } catch (error) {
    if (codes.includes(String(codeOf(error)))) return otherwise;
    throw error;
  }
}

async function ensureDirectory(path: string): Promise<void> {
  const found = await orElse(stat(path), ['ENOENT'], undefined);
  if (!found) await mkdir(path, { mode: 0o700 });
  else if (!found.isDirectory()) throw new MountError(`${path} is not a directory`);
}

function isOurs(path: string): boolean {
  return mountTable().findLast((entry) => entry.directory === path)?.type === OURS;
}

async function isDead(path: string): Promise<boolean> {
  try {
    await stat(path);
    return false;
  } catch (error) {
    if (codeOf(error) === 'ENOTCONN' || codeOf(error) === 'ECONNABORTED') return true;
    throw error;
  }
}

async function unmount(helper: string, path: string): Promise<void> {
  try {
    await promisify(execFile)(helper, ['umount', path], { env: {}, cwd: '/' });
  } catch (error) {
    throw new MountError(wordsOf(error) || `cannot unmount ${path}`);
  }
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

function wordsOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'stderr' in error ? String(error.stderr).trim() : '';
}
