import { createHash, timingSafeEqual } from 'node:crypto';
import { NinepError, noAuthRequired, type AuthConversation } from '#ninep';
import { parseAttachName } from './attach-name.js';
import type { Door } from './options.js';

/** Lets everybody in as a guest. */
export function guestDoor(address: string): Door {
  return { address, role: 'guest' };
}

/** Lets everybody in as that agent: only where nobody else can come to the address. */
export function agentDoor(address: string, agentId: string): Door {
  return { address, role: 'agent', uname: agentId };
}

/**
 * Lets in who knows the secret, as user: written to the fid of a Tauth, or as `key=` in the attach name.
 * A Tauth that carries the key is refused, as one that is not needed: clients that begin with Tauth and
 * know no other way of it go on to attach then.
 */
export function secretDoor(address: string, secret: string): Door {
  const known = digest(secret);
  const check = (shown: string): void => {
    if (!timingSafeEqual(digest(shown), known)) throw denied('bad secret');
  };
  return {
    address,
    authenticate: ({ aname }) => {
      const { key } = parseAttachName(aname, false);
      if (key === undefined) return new SecretConversation(check);
      check(key);
      throw noAuthRequired();
    },
    authorize: ({ auth }, { key }) => {
      if (key !== undefined) check(key);
      else if (auth?.done !== true) throw denied('authentication required');
    },
  };
}

/** An auth fid to which the secret is written in one piece. There is nothing to be read. */
class SecretConversation implements AuthConversation {
  done = false;

  constructor(private readonly check: (shown: string) => void) {}

  write(data: Uint8Array): void {
    this.done = false;
    this.check(Buffer.from(data).toString().trimEnd());
    this.done = true;
  }

  read(): Uint8Array {
    return Buffer.alloc(0);
  }
}

/** Of one length, so that comparing takes the same time for every guess. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function denied(why: string): NinepError {
  return new NinepError(`permission denied: ${why}`, 'EACCES');
}
