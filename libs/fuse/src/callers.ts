/** How long a process's tag is taken as known: shorter than any number can be given to another process. */
const KNOWN_MS = 500;
const MOST = 512;

interface Known {
  readonly tag: string | undefined;
  readonly since: number;
}

/** Remembers for a moment which client a process is: every path walk of it asks several times. */
export class Callers {
  readonly #known = new Map<number, Known>();

  constructor(private readonly tagOf: (pid: number) => string | undefined) {}

  /** Undefined for a process that has none, or is outside of our pid namespace (0). */
  tag(pid: number): string | undefined {
    if (pid === 0) return undefined;
    const now = performance.now();
    const known = this.#known.get(pid);
    if (known && now - known.since < KNOWN_MS) return known.tag;
    if (this.#known.size >= MOST) this.#known.clear();
    const tag = this.tagOf(pid);
    this.#known.set(pid, { tag, since: now });
    return tag;
  }
}
