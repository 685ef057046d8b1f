import type { SessionEvent } from './session-event.js';
import { DELIVERY } from './topics.js';

interface Slot {
  readonly id: number;
  /** Events that everybody gets, up to this one. */
  readonly due: number;
  /** Of a `latest` topic: what it is the newest of. */
  readonly key: string | undefined;
  /** Undefined: a newer one has taken its place. */
  line: string | undefined;
}

/** The newest events up to a number, of `latest` topics only the newest of each agent. */
export class KeptEvents {
  private slots: Slot[] = [];
  private head = 0;
  private used = 0;
  private readonly newest = new Map<string, Slot>();
  private lastDue = 0;
  private droppedDue = 0;

  constructor(private readonly most: number) {}

  /** How many events that everybody gets there were. */
  get due(): number {
    return this.lastDue;
  }

  /** How many of those are not kept any more. */
  get dropped(): number {
    return this.droppedDue;
  }

  add({ id, topic, subject, line }: SessionEvent): void {
    const key = DELIVERY[topic] === 'latest' ? `${topic} ${subject.agent ?? ''}` : undefined;
    if (key === undefined) this.lastDue += 1;
    const slot = { id, due: this.lastDue, key, line };
    if (key !== undefined) this.replace(key, slot);
    this.slots.push(slot);
    this.used += 1;
    while (this.used > this.most) this.dropOldest();
    if (this.slots.length > 3 * this.most) this.compact();
  }

  /** Those behind an id, oldest first. */
  *after(id: number): Generator<Slot & { readonly line: string }> {
    for (let at = this.firstAfter(id); at < this.slots.length; at++) {
      const slot = this.slots[at];
      if (slot?.line !== undefined) yield { ...slot, line: slot.line };
    }
  }

  private replace(key: string, slot: Slot): void {
    const before = this.newest.get(key);
    if (before) this.free(before);
    this.newest.set(key, slot);
  }

  private free(slot: Slot): void {
    slot.line = undefined;
    this.used -= 1;
  }

  private dropOldest(): void {
    const slot = this.slots[this.head];
    this.head += 1;
    if (slot?.line === undefined) return;
    this.free(slot);
    this.droppedDue = slot.due;
    if (slot.key !== undefined) this.newest.delete(slot.key);
  }

  private compact(): void {
    this.slots = this.slots.slice(this.head).filter((slot) => slot.line !== undefined);
    this.head = 0;
  }

  private firstAfter(id: number): number {
    let [low, high] = [this.head, this.slots.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.slots[middle]?.id ?? 0) > id) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
