import { tooManyLocks } from '../errors.js';
import type { Fid } from '../fids.js';

/** Numbers of the wire; `none` unlocks. */
export const lockKind = { read: 0, write: 1, none: 2 } as const;

/** Bytes from `start` to before `end`, which may be Infinity. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** One process of one client machine, over one connection. */
interface Owner {
  readonly connection: number;
  readonly process: number;
  readonly client: string;
}

export interface LockRequest {
  /** The file's qid path. */
  readonly path: number;
  readonly kind: number;
  readonly range: Range;
  readonly owner: Owner;
}

type Held = LockRequest & { readonly fid: Fid };

const MOST_A_FILE = 1024;

/** Advisory record locks of all clients of a server. A fid that is let go of lets go of the locks taken on it. */
export class Locks {
  readonly #byPath = new Map<number, readonly Held[]>();
  readonly #watched = new WeakSet<Fid>();

  /** A lock that stands in the way, if any. */
  conflict({ path, kind, range, owner }: LockRequest): LockRequest | undefined {
    if (kind === lockKind.none) return undefined;
    return this.#heldOn(path).find(
      (held) => overlaps(held.range, range) && !isSame(held.owner, owner) && (kind === lockKind.write || held.kind === lockKind.write),
    );
  }

  /** Sets what the owner holds of the range: false, and nothing changed, when another is in the way. */
  take(wanted: LockRequest, fid: Fid): boolean {
    if (this.conflict(wanted) !== undefined) return false;
    const rest = this.#heldOn(wanted.path).flatMap((held) => (isSame(held.owner, wanted.owner) ? without(held, wanted.range) : [held]));
    const all = wanted.kind === lockKind.none ? rest : [...rest, { ...wanted, fid }];
    if (all.length > MOST_A_FILE) throw tooManyLocks();
    this.#put(wanted.path, all);
    if (wanted.kind !== lockKind.none) this.#watch(fid, wanted.path);
    return true;
  }

  #heldOn(path: number): readonly Held[] {
    return this.#byPath.get(path) ?? [];
  }

  #put(path: number, all: readonly Held[]): void {
    if (all.length === 0) this.#byPath.delete(path);
    else this.#byPath.set(path, all);
  }

  #watch(fid: Fid, path: number): void {
    if (this.#watched.has(fid)) return;
    this.#watched.add(fid);
    fid.whenReleased(() =>
      this.#put(
        path,
        this.#heldOn(path).filter((held) => held.fid !== fid),
      ),
    );
  }
}

function overlaps(a: Range, b: Range): boolean {
  return a.start < b.end && b.start < a.end;
}

function isSame(a: Owner, b: Owner): boolean {
  return a.connection === b.connection && a.process === b.process && a.client === b.client;
}

/** What is left of a lock when a range of it is taken out. */
function without(held: Held, { start, end }: Range): readonly Held[] {
  if (!overlaps(held.range, { start, end })) return [held];
  const before = { ...held, range: { start: held.range.start, end: start } };
  const after = { ...held, range: { start: end, end: held.range.end } };
  return [before, after].filter(({ range }) => range.start < range.end);
}
