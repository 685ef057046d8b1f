import { errnoOf, messageOf } from '#config';
import { PermissionDeniedError } from '#model';
import { ANYBODY, identityOf, isMarked } from '../peer-check.js';
import { BusError } from './bus-error.js';

/** What the bus knows of a caller. */
export interface Callers {
  /** The process behind a unique name. Rejects with BusError when it has gone. */
  pidOf(name: string): Promise<string>;
}

/** Rejects with PermissionDeniedError. */
export type CallerCheck = (sender: string, callers: Callers) => Promise<void>;

/**
 * What PeerCheck is for sockets: callers that run in a sandbox, but for the `allowed` programs, may change nothing. Whoever has
 * gone before we could look is refused too. Throws when a program is not there.
 */
export function callerCheck(allowed: readonly string[]): CallerCheck {
  if (allowed.includes(ANYBODY) || isMarked()) return () => Promise.resolve();
  const programs = new Set(allowed.map(identityOf));
  return async (sender, callers) => {
    if (await isSandboxed(sender, callers, programs)) throw new PermissionDeniedError('sandboxed caller');
  };
}

async function isSandboxed(sender: string, callers: Callers, allowed: ReadonlySet<string>): Promise<boolean> {
  try {
    const pid = await callers.pidOf(sender);
    return isMarked(pid) && !allowed.has(identityOf(`/proc/${pid}/exe`));
  } catch (error) {
    if (error instanceof BusError || errnoOf(error) !== undefined)
      throw new PermissionDeniedError(`the caller cannot be seen, and must wait for its answer: ${messageOf(error)}`);
    throw error;
  }
}
