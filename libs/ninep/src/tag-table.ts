const PAGE_BITS = 6;
const PAGE = 1 << PAGE_BITS;

/**
 * Values by tag, 0 to 65535. A Map to which one adds and from which one deletes all the time makes itself a new table every few
 * operations, and in V8 each old table leads to the next: one that has grown old keeps all later ones, and what was in them,
 * from the collector of young objects.
 */
export class TagTable<T extends object> {
  readonly #pages: (T | undefined)[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(tag: number): T | undefined {
    return this.#pages[tag >> PAGE_BITS]?.[tag % PAGE];
  }

  set(tag: number, value: T): void {
    const page = (this.#pages[tag >> PAGE_BITS] ??= Array.from({ length: PAGE }, () => undefined));
    if (page[tag % PAGE] === undefined) this.#size += 1;
    page[tag % PAGE] = value;
  }

  delete(tag: number): void {
    const page = this.#pages[tag >> PAGE_BITS];
    if (page?.[tag % PAGE] === undefined) return;
    page[tag % PAGE] = undefined;
    this.#size -= 1;
  }

  values(): T[] {
    return this.#pages.flatMap((page) => page.filter((value) => value !== undefined));
  }
}
