import { Injectable } from '@nestjs/common';
import type { ToolDefinition } from '#tools';
import { type LockMode, ReadWriteLock, type Release } from './read-write-lock.js';
import { SessionDirectories } from './session-directories.js';

/** A call as far as others of its session mind it. */
export interface SharedCall {
  readonly session: string;
  readonly tool: Pick<ToolDefinition, 'info' | 'hasDoor'>;
  readonly background: boolean;
}

/**
 * Between the agents of a session: calls that read run side by side, one that writes runs when nothing reads or writes, in the order in
 * which they came. All others mind nobody, and nobody minds them.
 */
@Injectable()
export class SessionLocks {
  private readonly locks = new Map<string, ReadWriteLock>();

  constructor(private readonly directories: SessionDirectories) {}

  /** Sessions with calls that mind others, or wait for them. */
  get count(): number {
    return this.locks.size;
  }

  /** Resolves when the call may start, with what to call at its end. Rejects with the reason of the signal. */
  async take({ session, tool, background }: SharedCall, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted();
    this.directories.make(session);
    const mode = background ? undefined : modeOf(tool);
    return mode === undefined ? () => undefined : this.lockOf(session).take(mode, signal);
  }

  private lockOf(session: string): ReadWriteLock {
    const lock = this.locks.get(session) ?? new ReadWriteLock(() => this.locks.delete(session));
    this.locks.set(session, lock);
    return lock;
  }
}

/** A tool with a door may wait for other agents of its session, whose calls would then wait for it. */
function modeOf({ info: { parallel }, hasDoor }: SharedCall['tool']): LockMode | undefined {
  return hasDoor || parallel === 'none' ? undefined : parallel;
}
