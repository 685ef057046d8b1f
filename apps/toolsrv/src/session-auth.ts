import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { PermissionDeniedError } from '#model';
import { noAuthRequired, type AuthConversation } from '#ninep';

const MAX_SECRET_BYTES = 256;
const AGENT = 'agent';
const OBSERVER = 'observer';

/**
 * Who may attach. The first secret that an agent's client shows is the secret of this server, unless it was given
 * one; whoever knows it gets the token that every call must carry. Observers have a secret of their own, which is
 * always given, and get a token that is good for no call. All are compared in constant time.
 */
export class SessionAuth {
  private readonly token = randomBytes(32).toString('hex');
  private readonly observerToken = randomBytes(32).toString('hex');
  private secret: Buffer | undefined;
  private observerSecret: Buffer | undefined;

  constructor(readonly isRequired: boolean) {}

  /** The secret from the outset: no client can be first. */
  setSecret(secret: string): void {
    this.secret = digest(secret);
  }

  /** Until then nobody can be an observer. */
  setObserverSecret(secret: string): void {
    this.observerSecret = digest(secret);
  }

  /** Starts a conversation on an auth fid. Throws where none is needed, and for a name that is neither an agent's nor an observer's. */
  begin(uname: string, aname: string): AuthConversation {
    if (!this.isRequired) throw noAuthRequired();
    if (uname === OBSERVER) return new SecretForToken((secret) => this.exchangeForObserver(secret));
    if (uname !== AGENT) throw new PermissionDeniedError(`not an agent: ${uname}`);
    if (aname === '') throw new PermissionDeniedError('the attach name must be an agent id');
    return new SecretForToken((secret) => this.exchange(secret));
  }

  /** Throws when `auth` is not a finished conversation. The names are those of Tauth: the server has compared them. */
  checkAttach(auth: AuthConversation | undefined): void {
    if (this.isRequired && auth?.done !== true) throw new PermissionDeniedError('authentication required');
  }

  /** Throws when a call does not carry this server's token. */
  checkToken(token: string): void {
    if (this.isRequired && !timingSafeEqual(digest(token), digest(this.token))) throw new PermissionDeniedError('bad token');
  }

  private exchange(secret: Uint8Array): string {
    if (secret.length > MAX_SECRET_BYTES) throw new PermissionDeniedError('bad secret');
    // Else an observer who attaches by the wrong name would make his secret that of all agents.
    if (this.secret === undefined && isSecret(secret, this.observerSecret)) throw new PermissionDeniedError('bad secret');
    this.secret ??= digest(secret);
    if (!isSecret(secret, this.secret)) throw new PermissionDeniedError('bad secret');
    return this.token;
  }

  private exchangeForObserver(secret: Uint8Array): string {
    if (!isSecret(secret, this.observerSecret)) throw new PermissionDeniedError('bad secret');
    return this.observerToken;
  }
}

/** An auth fid: the secret is written in one piece, then the token can be read. */
class SecretForToken implements AuthConversation {
  private answer: Buffer | undefined;

  constructor(private readonly exchange: (secret: Uint8Array) => string) {}

  get done(): boolean {
    return this.answer !== undefined;
  }

  write(data: Uint8Array): void {
    this.answer = undefined;
    this.answer = Buffer.from(`${this.exchange(data)}\n`);
  }

  read(offset: number, count: number): Uint8Array {
    if (this.answer === undefined) throw new PermissionDeniedError('authentication required');
    return this.answer.subarray(offset, offset + count);
  }
}

function isSecret(shown: Uint8Array, known: Buffer | undefined): boolean {
  return known !== undefined && timingSafeEqual(digest(shown), known);
}

function digest(text: string | Uint8Array): Buffer {
  return createHash('sha256').update(text).digest();
}
