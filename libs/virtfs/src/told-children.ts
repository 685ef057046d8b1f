import { isPromise } from './awaitable.js';
import type { Awaitable, NodeStat, TreeNode } from './types.js';

/** Nobody who has gone is held longer than this after the last look. */
const KEPT_MS = 10_000;

/**
 * The children of one directory as they were last told. A listing that finds what it found before makes
 * nothing anew, so that a long directory costs no more than looking at each child.
 */
export class ToldChildren {
  readonly #names: string[] = [];
  readonly #children: object[] = [];
  readonly #nodes: TreeNode[] = [];
  #count = 0;
  #timer: NodeJS.Timeout | undefined;
  #stats: readonly NodeStat[] = [];

  /** Starts a listing, which is to end before anything else happens. */
  begin(): void {
    this.#count = 0;
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref();
    this.#timer.refresh();
  }

  /** True, and the child is listed, if it stood at this place in the last listing. */
  knows(name: string, child: object): boolean {
    const isSame = this.#names[this.#count] === name && this.#children[this.#count] === child;
    if (isSame) this.#count++;
    return isSame;
  }

  add(name: string, child: object, node: TreeNode): void {
    this.#names[this.#count] = name;
    this.#children[this.#count] = child;
    this.#nodes[this.#count++] = node;
  }

  /** Ends the listing. The very same array as before when all stats are: then nothing is made at all. */
  stats(): Awaitable<readonly NodeStat[]> {
    const before = this.#stats;
    const nodes = this.#nodes;
    this.#names.length = this.#children.length = nodes.length = this.#count;
    for (const [index, node] of nodes.entries()) {
      const stat = node.stat();
      if (stat !== before[index]) return this.#renew(index, stat);
    }
    return before.length === nodes.length ? before : this.#settle(before.slice(0, nodes.length));
  }

  /** `stat` is the first that differs. */
  #renew(index: number, stat: Awaitable<NodeStat>): Awaitable<readonly NodeStat[]> {
    const rest = this.#nodes.slice(index + 1).map((node) => node.stat());
    const stats = [...this.#stats.slice(0, index), stat, ...rest];
    return areThere(stats) ? this.#settle(stats) : this.#whenThere(stats);
  }

  #forget(): void {
    this.#names.length = this.#children.length = this.#nodes.length = 0;
    this.#stats = [];
    this.#timer = undefined;
  }

  async #whenThere(stats: readonly Awaitable<NodeStat>[]): Promise<readonly NodeStat[]> {
    return this.#settle(await Promise.all(stats.map(async (stat) => stat)));
  }

  #settle(stats: readonly NodeStat[]): readonly NodeStat[] {
    const before = this.#stats;
    if (stats.length !== before.length || stats.some((stat, index) => stat !== before[index])) this.#stats = stats;
    return this.#stats;
  }
}

function areThere(stats: readonly Awaitable<NodeStat>[]): stats is readonly NodeStat[] {
  return !stats.some(isPromise);
}
