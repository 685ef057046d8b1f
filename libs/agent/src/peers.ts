import { peerText } from './wrapped-text.js';

/** What one agent needs to know of another. */
export interface PeerAgent {
  readonly id: string;
  readonly name: string;
  /** Gives it a turn of its own with this text. */
  receive(text: string): void;
  readonly account: {
    /** What a request of one of its children has cost, in USD; undefined when nobody knows. */
    bear(costUSD: number | undefined): void;
  };
}

/** The way from one agent to another. */
export class Peer {
  constructor(
    readonly from: PeerAgent,
    private readonly to: PeerAgent,
  ) {}

  /** Returns at once; the turn comes in its time. Blank text does nothing. */
  send(text: string): void {
    if (text.trim() !== '') this.to.receive(peerText(this.from.name, text));
  }
}

/** The agents of a session, by name. */
export interface PeerAgents {
  entries(): Iterable<readonly [name: string, agent: PeerAgent]>;
  find(nameOrId: string): PeerAgent | undefined;
}

/** The agents beside an agent. */
export class Peers {
  private readonly known = new WeakMap<PeerAgent, Peer>();

  /** `session` has the agent itself, too. */
  constructor(
    private readonly self: PeerAgent,
    private readonly session: PeerAgents,
  ) {}

  *entries(): Iterable<readonly [name: string, peer: Peer]> {
    for (const [name, agent] of this.session.entries()) if (agent !== this.self) yield [name, this.peerOf(agent)];
  }

  find(nameOrId: string): Peer | undefined {
    const agent = this.session.find(nameOrId);
    return agent === undefined || agent === this.self ? undefined : this.peerOf(agent);
  }

  private peerOf(agent: PeerAgent): Peer {
    const peer = this.known.get(agent) ?? new Peer(this.self, agent);
    this.known.set(agent, peer);
    return peer;
  }
}
