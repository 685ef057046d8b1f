import { execFile } from 'node:child_process';
import { mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { MountError } from './errors.js';
import { mountTable } from './mount-table.js';

const OURS = 'fuse.ollie';

/** The real path of a directory to mount on; made (0700) if it is missing, freed of a mount whose server is dead. MountError where a server lives. */
export async function prepareMountPoint(helper: string, directory: string): Promise<string> {
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

/** The last name is left alone: asking about it would ask a server that may be dead. */
async function realPlace(directory: string): Promise<string> {
  const path = resolve(directory);
  const parent = dirname(path);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return join(await realpath(parent), basename(path));
}

async function ensureDirectory(path: string): Promise<void> {
  const found = await stat(path).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return undefined;
  });
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
