import { FileDeniedError } from './errors.js';
import type { Client, FileSpec, Role } from './types.js';

/** A row that other roles than `user` may write, too: `openTo(['guest'], message(...))`. */
export function openTo<S>(roles: readonly Role[], row: FileSpec<S>): FileSpec<S> {
  return { ...row, writers: [...(row.writers ?? []), ...roles] };
}

/** Throws FileDeniedError unless the client's role is `user` or one of `roles`. */
export function checkRole({ role }: Client, roles: readonly Role[] = []): void {
  if (role !== 'user' && !roles.includes(role)) throw new FileDeniedError();
}
