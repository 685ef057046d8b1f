import { readFileSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errnoOf } from '#config';
import type { PathGrant } from '#sandbox';

/** Their files are served by a program or another machine, for which whoever touches them waits, however long. */
const SERVED = /^(autofs|fuse|nfs|cifs|smb|ncp|afs|ceph|coda|glusterfs|lustre|orangefs|9p)/;
/** As many as the kernel follows. */
const MAX_LINKS = 40;

/** Mounts that may never answer: what leads into one must not be touched, for this process does nothing else meanwhile. */
export class ForeignMounts {
  private constructor(private readonly points: readonly string[]) {}

  /** As they are now. */
  static all(): ForeignMounts {
    return new ForeignMounts(readFileSync('/proc/self/mountinfo', 'utf8').split('\n').flatMap(servedPoint));
  }

  /** Those that no granted path needs. */
  static beside(grants: readonly PathGrant[]): ForeignMounts {
    return new ForeignMounts(ForeignMounts.all().points.filter((point) => !grants.some(({ path }) => isBelow(path, point))));
  }

  get isEmpty(): boolean {
    return this.points.length === 0;
  }

  /** Whether the kernel comes upon one on the way to an absolute path. */
  isOnTheWayTo(path: string): boolean {
    return this.firstOnTheWayTo(path) !== undefined;
  }

  /** The one that the kernel comes upon first. Touches nothing behind it. */
  firstOnTheWayTo(path: string): string | undefined {
    if (this.isEmpty) return undefined;
    let waiting = partsOf(path);
    let at = '/';
    for (let links = 0; waiting.length > 0 && links <= MAX_LINKS;) {
      const [name = '', ...rest] = waiting;
      const next = join(at, name);
      const met = this.points.find((point) => isBelow(next, point));
      if (met !== undefined) return met;
      const target = targetOf(next);
      if (target === undefined) [at, waiting] = [next, rest];
      else [at, waiting, links] = ['/', [...partsOf(resolve(dirname(next), target)), ...rest], links + 1];
    }
    return undefined;
  }
}

/** Fields 5 and, behind the dash, 1: where it is, and of what type. */
function servedPoint(line: string): readonly string[] {
  const [before = '', behind = ''] = line.split(' - ');
  const point = before.split(' ')[4];
  return point !== undefined && SERVED.test(behind) ? [unescaped(point)] : [];
}

/** Blanks and the like are written as `\040`. */
function unescaped(text: string): string {
  return text.replace(/\\(\d{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));
}

function isBelow(path: string, point: string): boolean {
  return path === point || point === '/' || path.startsWith(`${point}/`);
}

function partsOf(path: string): readonly string[] {
  return path.split('/').filter(Boolean);
}

/** undefined: not a link. */
function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
