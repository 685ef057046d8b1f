import { escapeField } from '#model';
import type { AgentState, EventSink, GivenName, ToolHost } from '#model';
import { isSecretName } from '#config';
import type { Environment } from '#config';
import type { SessionAgents } from './session-agents.js';

/** Who a session is. `cwd` is absolute. */
export interface SessionIdentity {
  readonly id: string;
  readonly givenName: GivenName;
  readonly cwd: string;
}

/** What a session owns and ends with it. */
export interface SessionParts {
  readonly agents: SessionAgents;
  readonly hands: ToolHost;
  readonly environment: Environment;
  readonly events: EventSink;
  /** See Session.invalidate. */
  readonly invalidate: () => void;
  /** Where the session is kept. */
  readonly path: () => string;
  /** Called once, when the session begins to end. */
  readonly onClose: (session: Session) => void;
}

/** Agents that share a name, a directory and one tool server. */
export class Session {
  readonly id: string;
  readonly givenName: GivenName;
  readonly cwd: string;
  readonly agents: SessionAgents;
  constructor(
    identity: SessionIdentity,
    private readonly parts: SessionParts,
  ) {
    this.id = identity.id;
    this.givenName = identity.givenName;
    this.cwd = identity.cwd;
    this.agents = parts.agents;
  }

  get name(): string {
    return this.givenName.value;
  }

  /** True while queues fill and no new turn starts. */
  get isPaused(): boolean {
    return this.agents.isHeld;
  }

  /** `running` while any agent is, also when it is paused: then a turn is being finished. */
  get state(): AgentState {
    if (this.agents.all.some((agent) => agent.state.value === 'running')) return 'running';
    return this.isPaused ? 'paused' : 'idle';
  }

  /** No new turn starts from now on; running ones go on to their end. */
  pause(): void {
    this.hold(true);
  }

  resume(): void {
    this.hold(false);
  }

  /** Writes all that is kept of it, and says where. Throws PartnerError. */
  save(): string {
    this.agents.save();
    const path = this.parts.path();
    this.parts.events.publish('session.saved', { session: this.id }, { path });
    return `saved ${path}`;
  }

  /** Ends it for this process, to come back with the next one. */
  async suspend(): Promise<void> {
    await this.agents.suspend();
    await this.parts.hands.close();
  }

  /** Drops what is cached of models, profiles and tools; running agents keep what they have. */
  invalidate(): void {
    this.parts.invalidate();
  }

  private hold(held: boolean): void {
    if (held === this.isPaused) return;
    this.agents.hold(held);
    this.parts.events.publish(held ? 'session.paused' : 'session.resumed', { session: this.id }, { name: this.name });
  }

  /** The OLLIE_* variables, sorted, without any that names a secret; one `name=value` a line. */
  env(): string {
    const own = { OLLIE_SESSION: this.name, OLLIE_SESSION_ID: this.id };
    const all = Object.entries({ ...this.parts.environment, ...own });
    const shown = all.filter(([name, value]) => value !== undefined && name.startsWith('OLLIE') && !isSecretName(name));
    return shown
      .map(([name, value]) => `${name}=${escapeField(value ?? '')}\n`)
      .sort()
      .join('');
  }

  /** Ends every agent and the tool server; the session is not found any more. Resolves when all are gone. */
  async close(): Promise<void> {
    this.parts.onClose(this);
    await this.agents.close();
    await this.parts.hands.close();
  }
}
