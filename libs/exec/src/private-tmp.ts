import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isAlive } from './is-alive.js';

const PREFIX = 'ollie-tools-';
/** Made anew beyond that many sessions. */
const MOST_NAMES = 1000;

/**
 * The temporary directories of one server, 0700, one a session, below a directory that names the server's
 * process, so that a later server can remove what a killed one has left.
 */
export class PrivateTmp {
  private own: string | undefined;
  private readonly names = new Map<string, string>();

  /** `parent`: where temporary files of this user belong. */
  constructor(private readonly parent: string) {}

  /** The directory of a session, made on first use. */
  directoryFor(session: string): string {
    return this.directory(this.nameFor(session));
  }

  /** What the cells of a session have at /tmp, so that it outlives each of them. */
  cellDirectoryFor(session: string): string {
    return this.directory(`cell-${this.nameFor(session)}`);
  }

  /** The directory of a session's calls outside the sandbox. No other call is granted it: what they put there nobody shall exchange. */
  bypassDirectoryFor(session: string): string {
    return this.directory(`bypass-${this.nameFor(session)}`);
  }

  /** For files of the server alone: no tool is ever granted it. */
  ownDirectory(): string {
    return this.directory('server');
  }

  remove(): void {
    if (this.own !== undefined) rmSync(this.own, { recursive: true, force: true });
    this.own = undefined;
  }

  private directory(name: string): string {
    const directory = join(this.root(), name);
    if (!existsSync(directory)) mkdirSync(directory, { recursive: true, mode: 0o700 });
    return directory;
  }

  /** A session's name may be anything. */
  private nameFor(session: string): string {
    const name = this.names.get(session) ?? createHash('sha256').update(session).digest('hex').slice(0, 16);
    if (this.names.size >= MOST_NAMES) this.names.clear();
    this.names.set(session, name);
    return name;
  }

  private root(): string {
    this.own ??= this.make();
    return this.own;
  }

  private make(): string {
    mkdirSync(this.parent, { recursive: true });
    removeAbandoned(this.parent);
    return mkdtempSync(join(this.parent, `${PREFIX}${process.pid}-`));
  }
}

function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    const path = join(parent, name);
    if (pid !== undefined && !isAlive(Number(pid)) && isOurs(path)) rmSync(path, { recursive: true, force: true });
  }
}

/** Another server may remove the same directory at the same time. */
function isOurs(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
