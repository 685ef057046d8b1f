import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf, messageOf, type Log } from '#config';
import { isAlive } from './is-alive.js';
import { ForeignDirectoryError, requireOwnDirectory, requireSafeParent } from './own-directory.js';

const MARK = /^toolsrv\.(\d+)$/;
/** Another server may remove a directory between our making it and our mark in it. */
const ATTEMPTS = 3;

/**
 * One directory a session, 0700, from the session's first call to the end of the server, for other programs to see that the session is at
 * work. The file `toolsrv.PID` in it says which server that is; there may be several. What dead ones have left is removed.
 * A place that is not the user's alone is not used, which the log says: no call fails for it.
 */
export class SessionDirectories {
  private readonly known = new Set<string>();
  private readonly made = new Set<string>();
  private hasSwept = false;

  constructor(
    private readonly parent: string,
    private readonly log: Log,
  ) {}

  /** Once a session. Calls without a session have none. */
  make(session: string): void {
    if (session === '' || this.known.has(session)) return;
    this.known.add(session);
    this.unlessFailing(() => {
      this.prepareParent();
      const path = join(this.parent, directoryName(session));
      this.mark(path, ATTEMPTS);
      this.made.add(path);
    });
  }

  /** Removes those in which there is nobody else. */
  remove(): void {
    for (const path of this.made) this.unlessFailing(() => leave(path));
    this.made.clear();
  }

  private prepareParent(): void {
    mkdirSync(this.parent, { recursive: true, mode: 0o700 });
    requireSafeParent(this.parent);
    if (this.hasSwept) return;
    this.hasSwept = true;
    void this.sweep().catch((error: unknown) => isLeftToOthers(error) || this.warn(error));
  }

  private mark(path: string, attempts: number): void {
    try {
      makeDirectory(path);
      writeFileSync(join(path, ownMark()), '', { mode: 0o600 });
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT' || attempts === 1) throw error;
      this.mark(path, attempts - 1);
    }
  }

  private async sweep(): Promise<void> {
    const entries = await readdir(this.parent, { withFileTypes: true });
    for (const entry of entries) if (entry.isDirectory()) await this.removeAbandoned(join(this.parent, entry.name));
  }

  /** Another server may be doing the same. */
  private async removeAbandoned(path: string): Promise<void> {
    try {
      if (lstatSync(path).uid !== process.getuid?.()) return;
      const pids = (await readdir(path)).flatMap((name) => MARK.exec(name)?.[1] ?? []).map(Number);
      const dead = pids.filter((pid) => !isAlive(pid));
      for (const pid of dead) await rm(join(path, markOf(pid)), { force: true });
      if (dead.length > 0 && dead.length === pids.length) await rmdir(path);
    } catch (error) {
      if (!isLeftToOthers(error)) throw error;
    }
  }

  private unlessFailing(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (errnoOf(error) === undefined && !(error instanceof ForeignDirectoryError)) throw error;
      this.warn(error);
    }
  }

  private warn(error: unknown): void {
    this.log.warn(`directory of a session: ${messageOf(error)}`);
  }
}

/** Ids as olliesrv gives them are names of files; whatever else a session may be called becomes one. */
function directoryName(session: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,127}$/.test(session)) return session;
  return `session-${createHash('sha256').update(session).digest('hex').slice(0, 16)}`;
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
    requireOwnDirectory(path);
  }
}

function leave(path: string): void {
  try {
    rmSync(join(path, ownMark()), { force: true });
    rmdirSync(path);
  } catch (error) {
    if (!isLeftToOthers(error)) throw error;
  }
}

/** It is gone already, or others have something in it. */
function isLeftToOthers(error: unknown): boolean {
  return ['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '');
}

const markOf = (pid: number): string => `toolsrv.${pid}`;

const ownMark = (): string => markOf(process.pid);
