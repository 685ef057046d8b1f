import { FileDeniedError } from './errors.js';
import type { Client, DirSpec, FileSpec, Grant } from './types.js';

/** A row that others than `user` may write, too: `openTo(['guest'], message(...))`. */
export function openTo<S>(grants: readonly Grant<S>[], row: FileSpec<S>): FileSpec<S> {
  return { ...row, writers: [...(row.writers ?? []), ...grants] };
}

/** A row, or a directory with all that is in it, that nobody but `user` and these may come to, not even to read. */
export function reservedFor<S>(grants: readonly Grant<S>[], row: FileSpec<S>): FileSpec<S>;
export function reservedFor<S>(grants: readonly Grant<S>[], row: DirSpec<S>): DirSpec<S>;
export function reservedFor<S>(grants: readonly Grant<S>[], row: FileSpec<S> | DirSpec<S>): FileSpec<S> | DirSpec<S> {
  return { ...row, admit: (client: Client, subject: S) => checkGrant(client, subject, grants) };
}

/** A row for clients of one uname alone; to others it is `permission denied: not an observer`, or whatever they would have to be. */
export function onlyFor<S>(uname: string, article: 'a' | 'an', row: FileSpec<S>): FileSpec<S> {
  const admit = (client: Client): void => {
    if (client.uname !== uname) throw new FileDeniedError(`not ${article} ${uname}`);
  };
  return { ...row, mode: row.mode & 0o770, admit };
}

/** Throws FileDeniedError unless the client's role is `user`, or one of `grants` holds. */
export function checkGrant<S>(client: Client, subject: S, grants: readonly Grant<S>[] = []): void {
  if (client.role !== 'user' && !grants.some((grant) => holds(grant, client, subject))) throw new FileDeniedError();
}

function holds<S>(grant: Grant<S>, client: Client, subject: S): boolean {
  if (typeof grant === 'string') return grant === client.role;
  return grant.role === client.role && grant.when(subject, client);
}
