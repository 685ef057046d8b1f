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

  /** Ends the listing. The very same array as before when all stats are. */
  stats(): Awaitable<readonly NodeStat[]> {
    this.#names.length = this.#children.length = this.#nodes.length = this.#count;
    const stats = this.#nodes.map((node) => node.stat());
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
