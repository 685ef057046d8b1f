const MOST_CHARACTERS = 64;
const NOT_IN_IDS = /[^A-Za-z0-9_-]/g;

/** Ids of calls as most providers take them, whatever provider they come from. What an id becomes depends only on those before it. */
export class WireIds {
  private readonly taken = new Set<string>();

  constructor(private readonly mostCharacters = MOST_CHARACTERS) {}

  /** A new one for each call, also when two calls of a conversation have the same id. */
  claim(id: string): string {
    const base = id.replaceAll(NOT_IN_IDS, '_').slice(0, this.mostCharacters) || 'call';
    let own = base;
    for (let count = 2; this.taken.has(own); count += 1) {
      const suffix = `-${count}`;
      own = base.slice(0, this.mostCharacters - suffix.length) + suffix;
    }
    this.taken.add(own);
    return own;
  }
}
