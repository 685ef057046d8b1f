import { randomBytes } from 'node:crypto';

/** What can be sent back in a request; some servers use dots and colons. */
const USABLE_ID = /^[!-~]{1,256}$/;

/** The id of a call if it is usable and not taken, else a new one; it is taken from then on. */
export function claimId(id: string | undefined, taken: Set<string>): string {
  const own = id !== undefined && USABLE_ID.test(id) && !taken.has(id) ? id : `call_${randomBytes(12).toString('hex')}`;
  taken.add(own);
  return own;
}
