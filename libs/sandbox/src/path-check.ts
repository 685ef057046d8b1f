import { realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { errnoOf } from '#config';
import { SandboxConfigError } from './errors.js';

/** What a path is now, links followed; undefined when it is missing or out of this user's reach. */
export interface Place {
  readonly path: string;
  readonly info: Stats;
}

export function placeAt(path: string): Place | undefined {
  try {
    const real = realpathSync(path);
    return { path: real, info: statSync(real) };
  } catch (error) {
    if (UNREACHABLE.has(errnoOf(error) ?? '')) return undefined;
    throw error;
  }
}

const UNREACHABLE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG', 'ENOTCONN']);

/** Absolute, without `..`; doubled and trailing slashes go. Throws SandboxConfigError. */
export function plainPath(path: string, origin: string): string {
  if (path.includes('\0')) throw new SandboxConfigError(`${origin}: NUL in a path`);
  if (path.startsWith('~')) throw new SandboxConfigError(`${origin}: write {HOME} instead of ~: ${path}`);
  if (!path.startsWith('/')) throw new SandboxConfigError(`${origin}: not an absolute path: ${path}`);
  if (path.split('/').includes('..')) throw new SandboxConfigError(`${origin}: ".." in a path: ${path}`);
  const plain = normalize(path);
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : plain;
}

/** True for the same path and for any directory above it. */
export function covers(above: string, path: string): boolean {
  return above === '/' || path === above || path.startsWith(`${above}/`);
}

/** True when one of two paths lies in the other. */
export function overlap(one: string, other: string): boolean {
  return covers(one, other) || covers(other, one);
}

/** Links followed as far as the path exists. Absolute paths only. */
export function realPathOf(path: string): string {
  const place = placeAt(path);
  if (place || path === '/') return place?.path ?? path;
  return join(realPathOf(dirname(path)), basename(path));
}
