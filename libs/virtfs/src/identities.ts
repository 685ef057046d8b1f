import type { ToldChildren } from './told-children.js';
import type { DirSpec, FileBehaviour, FileFacts, FileSpec } from './types.js';

/** What stays the same for one row of one subject, under whatever names it is walked to. */
export interface Identity {
  readonly id: number;
  behaviour?: FileBehaviour;
  listing?: Listing;
  children?: ToldChildren;
}

/** The last known listing of a directory, to tell whether it changed. */
export interface Listing {
  readonly names: string;
  readonly facts: FileFacts;
}

/** Ids and row state of one mounted tree, by subject and row, held no longer than the subject. */
export class Identities {
  private readonly subjects = new WeakMap<object, Map<object, Identity>>();
  private nextId = 1;

  of<S extends object>(subject: S, row: DirSpec<S> | FileSpec<S>): Identity {
    const rows = this.subjects.get(subject) ?? new Map<object, Identity>();
    this.subjects.set(subject, rows);
    let identity = rows.get(row);
    if (!identity) rows.set(row, (identity = { id: this.nextId++ }));
    return identity;
  }
}
