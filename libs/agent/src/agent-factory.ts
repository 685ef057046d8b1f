import { Injectable } from '@nestjs/common';
import { NotFoundError, type ToolHost } from '#model';
import type { AgentIdentity, AgentSetup } from './agent-identity.js';
import { AgentPorts } from './agent-ports.js';
import { Agent } from './agent.js';
import { BackendChoice } from './backend-choice.js';

/** Makes agents. What it makes belongs to the caller, who ends it with `kill`. */
@Injectable()
export class AgentFactory {
  constructor(private readonly ports: AgentPorts) {}

  /** Throws NotFoundError when what is to choose its backend names one that is not there. */
  create(identity: AgentIdentity, setup: AgentSetup, hands: ToolHost): Agent {
    new BackendChoice(this.ports.backends, setup).demandKnown();
    return new Agent(identity, setup, this.ports, hands);
  }

  /** Throws NotFoundError. */
  demandBackend(name: string): void {
    if (!this.ports.backends.names().includes(name)) throw new NotFoundError('backend', name);
  }
}
