import { DMDIR, QTDIR, type Qid, type Stat } from '#ninep';
import type { NodeStat } from '#virtfs';

const GROUP = 'agent';

/** Who all files of a server belong to: how their stats are told over 9P. */
export class Owner {
  readonly #lists = new WeakMap<readonly NodeStat[], readonly Stat[]>();

  constructor(
    private readonly name: string,
    private readonly ids: NonNullable<Stat['ids']>,
  ) {}

  stat(stat: NodeStat): Stat {
    const seconds = Math.floor(stat.mtimeMs / 1000);
    return {
      qid: qidOf(stat),
      mode: stat.isDirectory ? stat.mode + DMDIR : stat.mode,
      atime: seconds,
      mtime: seconds,
      length: stat.length,
      name: stat.name,
      uid: this.name,
      gid: GROUP,
      muid: stat.muid === '' ? this.name : stat.muid,
      ids: this.ids,
    };
  }

  /** The very same array for the same array. */
  list(stats: readonly NodeStat[]): readonly Stat[] {
    const before = this.#lists.get(stats);
    if (before) return before;
    const list = stats.map((stat) => this.stat(stat));
    this.#lists.set(stats, list);
    return list;
  }
}

export function qidOf(node: { readonly id: number; readonly isDirectory: boolean; readonly version: number }): Qid {
  return { type: node.isDirectory ? QTDIR : 0, version: node.version >>> 0, path: node.id };
}
