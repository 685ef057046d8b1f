import { escapeField } from '#model';
import type { AgentState, ToolHost } from '#model';
import { isSecretName } from '#config';
import type { Environment } from '#config';
import type { SessionAgents } from './session-agents.js';

/** Who a session is. `cwd` is absolute. */
export interface SessionIdentity {
  readonly id: string;
  readonly name: string;
  readonly cwd: string;
}

/** What a session owns and ends with it. */
export interface SessionParts {
  readonly agents: SessionAgents;
  readonly hands: ToolHost;
  readonly environment: Environment;
  /** Called once, when the session begins to end. */
  readonly onClose: (session: Session) => void;
}

/** Agents that share a name, a directory and one tool server. */
export class Session {
  readonly id: string;
  readonly name: string;
  readonly cwd: string;
  readonly agents: SessionAgents;
  /** True while queues fill and no new turn starts. */
  readonly isPaused = false;

  constructor(
    identity: SessionIdentity,
    private readonly parts: SessionParts,
  ) {
    this.id = identity.id;
    this.name = identity.name;
    this.cwd = identity.cwd;
    this.agents = parts.agents;
  }

  /** `running` while any agent is. */
  get state(): AgentState {
    return this.agents.all.some((agent) => agent.state.value === 'running') ? 'running' : 'idle';
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
