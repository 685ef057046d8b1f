import { readFileSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type Log, messageOf } from '#config';
import { PermissionDeniedError } from '#model';
import { askPeer, SandboxHelperError } from '#sandbox';

/** Of `allowed`: everybody. */
export const ANYBODY = 'all';

/**
 * Whatever runs in a sandbox carries a mark for good: it can gain no privileges. Who has come over the user's sockets and
 * carries it may read and change nothing, unless it runs one of the `allowed` programs, so that a tool which gets to a
 * socket in spite of all walls cannot act as the user. Asked once a connection, at its first change.
 */
export class PeerCheck {
  private readonly verdicts = new WeakMap<Socket, Promise<void>>();

  private constructor(
    private readonly helper: string,
    private readonly allowed: ReadonlySet<string>,
    private readonly log: Log,
  ) {}

  /** Undefined where it would mean nothing: without the helper, when everybody is allowed, and where this process carries the mark itself. */
  static start(helper: string | undefined, allowed: readonly string[], log: Log): PeerCheck | undefined {
    if (helper === undefined || allowed.includes(ANYBODY) || isMarked()) return undefined;
    return new PeerCheck(helper, new Set(allowed.map(identityOf)), log);
  }

  /** Rejects with PermissionDeniedError. */
  admit(socket: Socket): Promise<void> {
    const verdict = this.verdicts.get(socket) ?? this.judge(socket);
    this.verdicts.set(socket, verdict);
    return verdict;
  }

  /** Who cannot be asked may have left its connection to another. */
  private async judge(socket: Socket): Promise<void> {
    try {
      const { noNewPrivs, program } = await askPeer(this.helper, socket);
      if (!noNewPrivs || this.allowed.has(program)) return;
    } catch (error) {
      if (!(error instanceof SandboxHelperError)) throw error;
      this.log.warn(`a client is taken for a sandboxed one: ${messageOf(error)}`);
    }
    throw new PermissionDeniedError('sandboxed caller');
  }
}

/** As the helper tells it. Throws for what is not there. */
export function identityOf(program: string): string {
  const { dev, ino } = statSync(program, { bigint: true });
  return `${dev}:${ino}`;
}

/** Whether a process can gain no privileges. Throws for one that is not there. */
export function isMarked(pid = 'self'): boolean {
  return /^NoNewPrivs:\s*1$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
