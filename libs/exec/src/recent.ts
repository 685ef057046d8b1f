/** Values by name, of which those that were asked for longest ago go when there are more than `most`. */
export class Recent<V> {
  /** The one that was asked for longest ago comes first. */
  private readonly values = new Map<string, V>();

  constructor(private readonly most: number) {}

  get(name: string): V | undefined {
    const value = this.values.get(name);
    if (value !== undefined) this.put(name, value);
    return value;
  }

  set(name: string, value: V): void {
    this.put(name, value);
    const [oldest] = this.values.keys();
    if (this.values.size > this.most && oldest !== undefined) this.values.delete(oldest);
  }

  private put(name: string, value: V): void {
    this.values.delete(name);
    this.values.set(name, value);
  }
}
