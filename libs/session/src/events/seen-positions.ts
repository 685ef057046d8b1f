import type { Client } from '#virtfs';

const MAX_CLIENTS = 1024;

/** How far somebody has read: the last event by its id, and how many of those that everybody gets there were up to it. */
export interface Position {
  readonly id: number;
  readonly due: number;
}

/** How far each client has read (decision 13), by tag. 1,024 of them are kept, the one unused for longest goes first. */
export class SeenPositions {
  private readonly clients = new Map<string, Position>();
  private readonly leaders = new Map<string, Position>();

  /** Of a client that has not looked yet: the mark of its session leader. */
  of(client: Client): Position | undefined {
    const [seen, mark] = [this.clients.get(client.tag), this.leaders.get(leaderOf(client))];
    if (!seen || !mark) return seen ?? mark;
    return seen.id > mark.id ? seen : mark;
  }

  /** Never back. */
  set(client: Client, position: Position): void {
    const before = this.clients.get(client.tag);
    remember(this.clients, client.tag, before && before.id > position.id ? before : position);
  }

  /** Every client of this one's session leader has seen this. */
  mark(client: Client, position: Position): void {
    remember(this.leaders, leaderOf(client), position);
  }
}

function leaderOf(client: Client): string {
  return client.leader ?? client.tag;
}

function remember(positions: Map<string, Position>, key: string, position: Position): void {
  positions.delete(key);
  positions.set(key, position);
  const [oldest] = positions.keys();
  if (positions.size > MAX_CLIENTS && oldest !== undefined) positions.delete(oldest);
}
