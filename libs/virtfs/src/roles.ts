import { FileDeniedError } from './errors.js';
import type { Client, FileSpec, Role } from './types.js';

/** A row that other roles than `user` may write, too: `openTo(['guest'], message(...))`. */
export function openTo<S>(roles: readonly Role[], row: FileSpec<S>): FileSpec<S> {
  return { ...row, writers: [...(row.writers ?? []), ...roles] };
}

/** A row for clients of one uname alone; to others it is `permission denied: not an observer`, or whatever they would have to be. */
export function onlyFor<S>(uname: string, article: 'a' | 'an', row: FileSpec<S>): FileSpec<S> {
  const admit = (client: Client): void => {
    if (client.uname !== uname) throw new FileDeniedError(`not ${article} ${uname}`);
  };
  return { ...row, mode: row.mode & 0o770, admit };
}

/** Throws FileDeniedError unless the client's role is `user` or one of `roles`. */
export function checkRole({ role }: Client, roles: readonly Role[] = []): void {
  if (role !== 'user' && !roles.includes(role)) throw new FileDeniedError();
}
