import type { Children, DirSpec, FileSpec } from './types.js';

export interface DirOptions {
  readonly about?: string;
  /** Names that walk like an entry but are not listed: `{ s: 'session' }`. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** A directory with fixed entries, listed in this order. All of them see the directory's own subject. */
export function dir<S>(entries: DirSpec<S>['entries'], options: DirOptions = {}): DirSpec<S> {
  const { about = '', aliases = {} } = options;
  for (const [alias, name] of Object.entries(aliases)) checkAlias(entries, alias, name);
  return { kind: 'dir', mode: 0o555, about, entries, aliases };
}

/** A directory with fixed entries and, after them, one entry for each child, whose rows see the child. */
export function dirOf<P, C extends object>(
  entries: DirSpec<P>['entries'],
  children: Children<P, C>,
  each: DirSpec<C> | FileSpec<C>,
): DirSpec<P> {
  const anyEach = each as DirSpec<object> | FileSpec<object>; // only ever bound to what these very children give
  return { ...dir(entries), dynamic: { children, each: anyEach } };
}

function checkAlias(entries: object, alias: string, name: string): void {
  if (!Object.hasOwn(entries, name)) throw new Error(`virtfs: alias ${alias} points to ${name}, which is no entry`);
  if (Object.hasOwn(entries, alias)) throw new Error(`virtfs: alias ${alias} hides the entry of that name`);
}
