import { type Clock, PartnerError } from '#model';
import type { Log } from '#config';

const GRACE_MS = 5_000;

/** Resolves when `work` has ended, or after 5 s. */
export async function withinGrace(work: Promise<void>, clock: Clock): Promise<void> {
  const isOver = new AbortController();
  try {
    await Promise.race([work, clock.sleep(GRACE_MS, isOver.signal)]);
  } finally {
    isOver.abort();
  }
}

/** Closes what may be gone already. */
export async function hangUp(partner: { close(): Promise<void> }, who: string, log: Log): Promise<void> {
  try {
    await partner.close();
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error;
    log.warn(`${who}: ${error.message}`);
  }
}
